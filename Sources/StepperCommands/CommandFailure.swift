internal import ArgumentParser
internal import StepperClient

/// An error of a command: the message and the exit status.
struct CommandFailure: Error {
  /// The message, one element a line.
  var lines: [String]
  var code: ExitCode
  /// The name of the daemon's error; nil for an error of this program.
  var error: String?

  init(lines: [String], code: ExitCode) { (self.lines, self.code) = (lines, code) }

  init(message: String, code: ExitCode) { self.init(lines: [message], code: code) }
}

extension ExitCode {
  /// The command line is wrong.
  static let usage = ExitCode(2)
  /// The daemon cannot be reached.
  static let cannotConnect = ExitCode(3)
  /// There is no control of that name, or no device to monitor.
  static let noSuchControl = ExitCode(4)
  /// The configuration has errors: `EX_CONFIG`.
  static let configuration = ExitCode(78)
  /// The answer did not come in time.
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
  /// The message of `error`, with the most similar name where one is unknown.
  init(_ error: StepperClientError, client: StepperClient) {
    var message = error.message
    if let meant = Self.suggestion(for: error, client: client) { message += "; did you mean '\(meant)'?" }
    // The other messages quote texts from outside, whose line breaks must not begin a line of output.
    let lines = error.code == .cannotConnect ? message.split(separator: "\n").map(String.init) : [message]
    self.init(lines: lines + error.problems.map(\.text), code: ExitCode(error.code))
    self.error = error.failure?.name
  }

  /// The known name most similar to the unknown one that `error` is about; nil if the daemon does not answer.
  private static func suggestion(for error: StepperClientError, client: StepperClient) -> String? {
    guard let failure = error.failure else { return nil }
    let known: (word: String, names: [String]?)? =
      if let unknown = failure.decode(ControlInterface.NoSuchControl.self) {
        // Without a list from the daemon the message has no suggestion.
        (unknown.control, try? client.list().map(\.description.control))
      } else if let unknown = failure.decode(DeviceInterface.NoSuchDevice.self) {
        // The same of devices.
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
    return known.flatMap { Suggestion.nearest(to: $0.word, among: $0.names ?? []) }
  }

  /// The message for a device that is not in the list of devices, worded as the daemon does.
  static func noSuchDevice(_ name: String, among names: [String]) -> CommandFailure {
    let meant = Suggestion.nearest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    return CommandFailure(message: "there is no device '\(name)'\(meant)", code: .failure)
  }
}
