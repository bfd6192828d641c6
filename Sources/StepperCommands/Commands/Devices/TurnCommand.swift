internal import ArgumentParser
internal import StepperClient

struct TurnCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "turn", abstract: "Turn a knob of a virtual device: stepperctl turn panel:dial -3",
    usage: "stepperctl turn <device:input> <detents>")

  @Argument(
    help: ArgumentHelp("The knob.", valueName: "device:input"), completion: Completions.inputs(.encoder))
  var knob: InputName
  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("How many detents: 3, +3 or -3.", valueName: "detents"))
  var detents: [SignedText]
  @OptionGroup var global: GlobalOptions

  func validate() throws { _ = try detents.integer(of: "detents") }

  func run(_ client: StepperClient) throws {
    try client.turn(knob, by: try detents.integer(of: "detents"))
  }
}

struct MoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a fader of a virtual device: stepperctl move panel:fader 40%")

  @Argument(
    help: ArgumentHelp("The fader.", valueName: "device:input"), completion: Completions.inputs(.axis))
  var fader: InputName
  @Argument(help: "The position: 40% or 0.4.")
  var position: Position
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws { try client.move(fader, to: position.fraction) }
}

/// A position in a fader's travel: `40%` or `0.4`.
struct Position: ExpressibleByArgument {
  let fraction: Double

  init?(argument: String) {
    let isPercent = argument.hasSuffix("%")
    guard let number = Double(isPercent ? String(argument.dropLast()) : argument) else { return nil }
    fraction = isPercent ? number / 100 : number
    guard (0...1).contains(fraction) else { return nil }
  }
}
