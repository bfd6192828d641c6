internal import ArgumentParser
internal import StepperClient

struct ToggleCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Switch toggles on or off, and choices of two to the other one.",
    discussion: "If one of the controls cannot be toggled, none is changed.")

  @Argument(help: "The controls.", completion: Completions.toggles, transform: LimitedText.name)
  var names: [String]
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    let assignments = try Assignments(client)
    try writeStates(client) { write in
      try assignments.perform(names.map { ($0, "toggle") }, write)
    }
  }
}
