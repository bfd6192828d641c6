internal import ArgumentParser
internal import StepperClient

struct StepCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "step", abstract: "Move a control by steps: stepperctl step volume -3")

  @Argument(help: "The control.", completion: Completions.controls)
  var name: String
  @Argument(help: ArgumentHelp("How many steps: 3, +3 or -3.", valueName: "steps"))
  var steps: SignedText
  @Flag(help: "Go by pages (large steps).")
  var page = false
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard steps.integer != nil else { throw ValidationError("'\(steps.text)' is no whole number of steps") }
  }

  func run(_ client: StepperClient) throws {
    let reply = try client.step(name, by: steps.integer ?? 0, unit: page ? .page : .step)
    guard !global.json else { return try Output.json(reply) }
    ControlText.write([reply.state], client: client)
  }
}
