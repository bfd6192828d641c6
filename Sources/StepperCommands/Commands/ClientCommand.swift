internal import ArgumentParser
internal import StepperClient

/// A command that calls the daemon.
protocol ClientCommand: ParsableCommand {
  var global: GlobalOptions { get }

  /// Performs the command. Errors of the client become messages.
  func run(_ client: StepperClient) throws
}

extension ClientCommand {
  func run() throws {
    let client = StepperClient(address: global.address, timeout: global.timeout.duration)
    do {
      try run(client)
    } catch let error as StepperClientError {
      throw CommandFailure(error, client: client)
    }
  }

  /// Reports that the connection was lost or restored; `note` is added to the message of a restored connection.
  func reportConnection(_ note: String = "") -> (StepperClientError?) -> Void {
    { error in Output.error(error == nil ? "connected again\(note)" : "connection lost, trying again") }
  }

  /// Runs `body` for each of `names`, even after errors of single controls. Errors are printed, except the last one,
  /// which is thrown at the end with the exit status of the first.
  func forEach(_ names: [String], _ client: StepperClient, _ body: (String) throws -> Void) throws {
    var first: CommandFailure?
    for name in names {
      do {
        try body(name)
      } catch let error as StepperClientError {
        let failure = CommandFailure(error, client: client)
        // Without a daemon the other names would fail as well.
        guard failure.code == .noSuchControl || failure.code == .failure else { throw failure }
        if let first { Output.error(first) }
        var last = failure
        last.code = first?.code ?? failure.code
        first = last
      }
    }
    if let first { throw first }
  }

  /// Writes the states that `body` passes to `write`, each with its description if known. JSON is written immediately,
  /// columns at the end, even if `body` throws. Missing descriptions are read from the daemon.
  func writeStates(
    _ client: StepperClient, _ values: ValueText = .plain,
    _ body: (_ write: (ControlInterface.State, ControlInterface.Description?) throws -> Void) throws -> Void
  ) throws {
    var controls: [(ControlInterface.State, ControlInterface.Description?)] = []
    defer { ControlText.write(controls, client: client, values: values) }
    try body { state, description in
      if global.json { try Output.json(state) } else { controls.append((state, description)) }
    }
  }

  /// The reply to a call, with the parameter `describe` if the description is printed and the daemon knows that
  /// parameter.
  func describing<Reply>(
    _ call: (_ describe: Bool?) throws(StepperClientError) -> Reply
  ) throws(StepperClientError) -> Reply {
    guard !global.json else { return try call(nil) }
    do throws(StepperClientError) {
      return try call(true)
    } catch {
      guard error.code == .invalidParameter else { throw error }
      return try call(nil)
    }
  }
}
