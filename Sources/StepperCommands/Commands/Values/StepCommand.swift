internal import ArgumentParser
internal import StepperClient

struct StepCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "step", abstract: "Move a control by steps: stepperctl step volume -3",
    usage: "stepperctl step <name> <steps> [--page]")

  @Argument(help: "The control.", completion: Completions.controls, transform: LimitedText.name)
  var name: String
  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("How many steps: 3, +3 or -3.", valueName: "steps"))
  var steps: [SignedText]
  @Flag(help: "Move by pages (large steps).")
  var page = false
  @OptionGroup var global: GlobalOptions

  func validate() throws { _ = try steps.integer(of: "steps") }

  func run(_ client: StepperClient) throws {
    let count = try steps.integer(of: "steps")
    let reply = try describing { describe throws(StepperClientError) in
      try client.call(
        ControlInterface.Step.self,
        .init(control: name, steps: count, unit: page ? .page : .step, describe: describe))
    }
    guard !global.json else { return try Output.json(reply) }
    ControlText.write([(reply.state, reply.description)], client: client)
  }
}
