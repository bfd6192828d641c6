internal import ArgumentParser
internal import StepperClient

struct ResetCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Set controls back to their configured defaults.")

  @Argument(help: "The controls.", completion: Completions.controls)
  var names: [String]
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    try writeStates(client) { write in
      try forEach(names, client) { name in
        let reply = try describing { describe throws(StepperClientError) in
          try client.call(ControlInterface.Reset.self, .init(control: name, describe: describe))
        }
        try write(reply.state, reply.description)
      }
    }
  }
}
