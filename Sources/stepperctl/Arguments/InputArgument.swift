internal import ArgumentParser
internal import StepperClient

/// `DEVICE:INPUT` on the command line.
struct InputArgument: ExpressibleByArgument {
  let name: InputName

  init?(argument: String) {
    guard let name = InputName(argument) else { return nil }
    self.name = name
  }
}
