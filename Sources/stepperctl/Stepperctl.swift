internal import StepperCommands

/// The command line program: see `StepperCommands`.
@main
enum Main {
  static func main() { Stepperctl.main() }
}
