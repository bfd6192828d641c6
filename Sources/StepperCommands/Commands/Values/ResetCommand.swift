internal import ArgumentParser
internal import StepperClient
internal import Varlink

struct ResetCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Set controls back to their configured defaults.",
    discussion: "If one of the controls does not exist or is read-only, none is changed.")

  @Argument(help: "The controls.", completion: Completions.controls, transform: LimitedText.name)
  var names: [String]
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    if names.count > 1 { try check(client) }
    try writeStates(client) { write in
      try forEach(names, client) { name in
        let reply = try describing { describe throws(StepperClientError) in
          try client.call(ControlInterface.Reset.self, .init(control: name, describe: describe))
        }
        try write(reply.state, reply.description)
      }
    }
  }

  /// Throws the failures of all controls that cannot be reset.
  private func check(_ client: StepperClient) throws {
    let controls = ControlText.descriptions(of: try client.list())
    do {
      try forEach(names, client) { name in
        guard let description = controls[name] else {
          throw StepperClientError(VarlinkFailure(ControlInterface.NoSuchControl(control: name)))
        }
        guard description.writable else {
          throw StepperClientError(VarlinkFailure(ControlInterface.NotWritable(control: name)))
        }
      }
    } catch var failure as CommandFailure {
      failure.lines.append("nothing was changed")
      throw failure
    }
  }
}
