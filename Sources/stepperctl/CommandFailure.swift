internal import ArgumentParser
internal import StepperClient

/// Why a command ends without success: what to say, and the exit status.
struct CommandFailure: Error {
  /// What to say, of one line or several.
  var lines: [String]
  var code: ExitCode

  init(lines: [String], code: ExitCode) { (self.lines, self.code) = (lines, code) }

  init(message: String, code: ExitCode) { self.init(lines: [message], code: code) }
}

extension ExitCode {
  /// The command line is wrong.
  static let usage = ExitCode(2)
  /// No daemon.
  static let cannotConnect = ExitCode(3)
  /// No control of that name.
  static let noSuchControl = ExitCode(4)
  /// The configuration has errors: `EX_CONFIG`.
  static let configuration = ExitCode(78)
  /// No answer in time.
  static let timedOut = ExitCode(124)

  init(_ code: StepperClientError.Code) {
    switch code {
    case .cannotConnect, .disconnected: self = .cannotConnect
    case .noSuchControl: self = .noSuchControl
    case .timedOut: self = .timedOut
    default: self = .failure
    }
  }
}

extension CommandFailure {
  /// `error` in words, with what was probably meant if a name is unknown.
  init(_ error: StepperClientError, client: StepperClient) {
    var message = error.message
    if let meant = Self.suggestion(for: error, client: client) { message += "; did you mean '\(meant)'?" }
    // Of the other messages, which quote what others wrote, none has a line break of its own.
    let lines = error.code == .cannotConnect ? message.split(separator: "\n").map(String.init) : [message]
    self.init(lines: lines + error.problems.map(ProblemText.line), code: ExitCode(error.code))
  }

  /// Without an answer there is no suggestion, and the first error is the one that counts.
  private static func suggestion(for error: StepperClientError, client: StepperClient) -> String? {
    if let unknown = error.failure?.decode(ControlInterface.NoSuchControl.self) {
      // Without the list there is no suggestion, and the message is good without one.
      let names = (try? client.list())?.map(\.description.control)
      return Suggestion.nearest(to: unknown.control, among: names ?? [])
    }
    if let unknown = error.failure?.decode(DeviceInterface.NoSuchDevice.self) {
      // Without the list there is no suggestion, and the message is good without one.
      let names = (try? client.devices())?.map(\.device)
      return Suggestion.nearest(to: unknown.device, among: names ?? [])
    }
    if let unknown = error.failure?.decode(DeviceInterface.NoSuchInput.self) {
      return Suggestion.nearest(to: unknown.input, among: unknown.inputs)
    }
    if let unknown = error.failure?.decode(DeviceInterface.NoSuchOutput.self) {
      return Suggestion.nearest(to: unknown.output, among: unknown.outputs)
    }
    return nil
  }

  /// What the daemon would say of a device that is not among those it has.
  static func noSuchDevice(_ name: String, among names: [String]) -> CommandFailure {
    let meant = Suggestion.nearest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    return CommandFailure(message: "there is no device '\(name)'\(meant)", code: .failure)
  }
}
