internal import ArgumentParser
internal import StepperClient

/// An error of a command: the message and the exit status.
struct CommandFailure: Error {
  /// The message; each element is a line.
  var lines: [String]
  var code: ExitCode
  /// The name of the daemon's error; nil for an error of this program.
  var error: String?

  init(lines: [String], code: ExitCode = .failure) { (self.lines, self.code) = (lines, code) }

  init(_ message: String, code: ExitCode = .failure) { self.init(lines: [message], code: code) }
}

extension ExitCode {
  /// The command line is invalid.
  static let usage = ExitCode(2)
  /// The daemon cannot be reached.
  static let cannotConnect = ExitCode(3)
  /// There is no such control, or no such device to monitor, to record or to learn.
  static let noSuchControl = ExitCode(4)
  /// The configuration has errors: `EX_CONFIG`.
  static let configuration = ExitCode(78)
  /// There was no reply within the timeout.
  static let timedOut = ExitCode(124)

  init(_ code: StepperClientError.Code) {
    switch code {
    case .cannotConnect, .disconnected, .tooManyConnections: self = .cannotConnect
    case .noSuchControl: self = .noSuchControl
    case .timedOut: self = .timedOut
    default: self = .failure
    }
  }
}

extension CommandFailure {
  /// The message of `error`. If it is about an unknown name, the message suggests the most similar one.
  init(_ error: StepperClientError, client: StepperClient) {
    let message = error.message + Self.hint(for: error, client: client)
    // The other messages quote texts from outside, whose line breaks must not begin a line of output.
    let lines = error.code == .cannotConnect ? message.split(separator: "\n").map(String.init) : [message]
    self.init(lines: lines + error.problems.map(\.text), code: ExitCode(error.code))
    self.error = error.failure?.name
  }

  /// The suggestion for the unknown name that `error` is about.
  private static func hint(for error: StepperClientError, client: StepperClient) -> String {
    guard let failure = error.failure else { return "" }
    let known: (word: String, names: [String]?)? =
      if let unknown = failure.decode(ControlInterface.NoSuchControl.self) {
        // If the daemon does not reply, the message has no suggestion.
        (unknown.control, try? client.list().map(\.description.control))
      } else if let unknown = failure.decode(DeviceInterface.NoSuchDevice.self) {
        // As above.
        (unknown.device, try? client.devices().map(\.device))
      } else if let unknown = failure.decode(ControlInterface.NoSuchValue.self) {
        (unknown.text, unknown.choices)
      } else if let unknown = failure.decode(DeviceInterface.NoSuchInput.self) {
        (unknown.input, unknown.inputs)
      } else if let unknown = failure.decode(DeviceInterface.NoSuchOutput.self) {
        (unknown.output, unknown.outputs)
      } else {
        nil
      }
    return known.map { Suggestion.hint(for: $0.word, among: $0.names ?? []) } ?? ""
  }

  /// The daemon's message for a device that is not in its list.
  static func noSuchDevice(
    _ name: String, among names: [String], code: ExitCode = .failure
  ) -> CommandFailure {
    CommandFailure("there is no device '\(name)'\(Suggestion.hint(for: name, among: names))", code: code)
  }
}
