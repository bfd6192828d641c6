internal import ArgumentParser
internal import StepperClient

struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Set controls back to their configured defaults.")

  @Argument(help: "The controls.", completion: Completions.controls)
  var names: [String]
  @OptionGroup var global: GlobalOptions

  func run() throws {
    try global.run { client in
      var states: [ControlInterface.State] = []
      defer { if !global.json, !states.isEmpty { ControlText.write(states, client: client) } }
      try global.forEach(names, client: client) { name in
        let state = try client.reset(name)
        states.append(state)
        if global.json { try Output.json(state) }
      }
    }
  }
}
