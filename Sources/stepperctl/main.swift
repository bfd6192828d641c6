print("stepperctl")
