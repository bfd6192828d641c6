module example.org/stepperd-watch

go 1.19
