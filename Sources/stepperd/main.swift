print("stepperd")
