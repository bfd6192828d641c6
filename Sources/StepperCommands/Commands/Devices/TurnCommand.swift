internal import ArgumentParser
internal import StepperClient

struct TurnCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "turn", abstract: "Turn a knob of a virtual device: stepperctl turn panel:dial -3",
    usage: "stepperctl turn <device:input> <detents>")

  @Argument(
    help: ArgumentHelp("The knob.", valueName: "device:input"), completion: Completions.inputs(.encoder),
    transform: LimitedText.input)
  var knob: InputName
  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("How many detents: 3, +3 or -3.", valueName: "detents"))
  var detents: [SignedText]
  @OptionGroup var global: GlobalOptions

  func validate() throws { _ = try count }

  func run(_ client: StepperClient) throws { try client.turn(knob, by: try count) }

  private var count: Int64 {
    get throws { try detents.integer(of: "detents", in: ParameterLimit.detents) }
  }
}

struct MoveCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a fader of a virtual device: stepperctl move panel:fader 40%")

  @Argument(
    help: ArgumentHelp("The fader.", valueName: "device:input"), completion: Completions.inputs(.axis),
    transform: LimitedText.input)
  var fader: InputName
  @Argument(help: "The position, from 0% to 100%, or from 0 to 1: 40% or 0.4.")
  var position: Position
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws { try client.move(fader, to: position.fraction) }
}

/// A position in the travel of a fader: `40%` or `0.4`.
struct Position: ExpressibleByArgument {
  let fraction: Double

  init?(argument: String) {
    let isPercent = argument.hasSuffix("%")
    guard let number = SignedText(argument: isPercent ? String(argument.dropLast()) : argument)?.number else {
      return nil
    }
    fraction = isPercent ? number / 100 : number
    guard (0...1).contains(fraction) else { return nil }
  }
}
