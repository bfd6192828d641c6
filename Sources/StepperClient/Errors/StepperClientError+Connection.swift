internal import Glibc
internal import Varlink

extension StepperClientError {
  /// None of `attempts` succeeded.
  static func cannotConnect(_ attempts: [(address: StepperAddress, error: CInt)]) -> StepperClientError {
    let tried = attempts.map { "\n  \($0.address.path): \(text(of: $0.error))" }.joined()
    let advice =
      attempts.contains { $0.error == EACCES || $0.error == EPERM }
      ? "the daemon runs, but this user may not talk to it: ask for membership in the socket's group"
      : """
      start it with 'systemctl start stepperd' (system service) or 'stepperd' (this user's),
        or name its socket in \(StepperAddress.environmentVariable)
      """
    return StepperClientError(.cannotConnect, "cannot connect to stepperd; tried\(tried)\n  \(advice)")
  }

  static func timedOut(_ what: String, after timeout: Duration) -> StepperClientError {
    StepperClientError(.timedOut, "no answer to \(what) within \(timeout)")
  }

  static let cancelled = StepperClientError(.cancelled, "cancelled while waiting for the daemon")

  /// Whether the daemon did not answer, or not as a daemon does.
  package var isOfConnection: Bool {
    [.cannotConnect, .disconnected, .timedOut, .protocolViolation].contains(code)
  }

  /// The message on one line; of one with more lines the first is a heading.
  package var line: String {
    let lines = message.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    guard lines.count > 1 else { return message }
    return lines.dropFirst().reduce("") { text, line in
      text.isEmpty ? line : text.hasSuffix(",") ? "\(text) \(line)" : "\(text); \(line)"
    }
  }

  static let disconnected = StepperClientError(.disconnected, "the daemon closed the connection")

  static let closed = StepperClientError(.disconnected, "the program closed the connection")

  static func unanswered(after limit: Duration) -> StepperClientError {
    StepperClientError(
      .disconnected, "the connection was closed: no answer to an earlier call within \(limit)")
  }

  static func disconnected(_ error: CInt) -> StepperClientError {
    StepperClientError(.disconnected, "the connection to the daemon was lost: \(text(of: error))")
  }

  static func protocolViolation(_ reason: String) -> StepperClientError {
    StepperClientError(.protocolViolation, "what answers at the socket is not stepperd: \(reason)")
  }

  /// The description of an error number.
  static func text(of error: CInt) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
    return OutsideText.shown(buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
  }
}

extension VarlinkCall {
  /// A call of `method`. Throws `invalidParameter` with the reason for parameters that cannot be encoded.
  static func of<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, mode: Mode? = nil
  ) throws(StepperClientError) -> VarlinkCall {
    do throws(VarlinkMessageError) {
      return try VarlinkCall(method, parameters, mode: mode)
    } catch {
      throw StepperClientError(.invalidParameter, error.reason)
    }
  }

  /// Throws for a call that is longer than the daemon takes: it closes the connection of one.
  func checkLength() throws(StepperClientError) {
    let limit = VarlinkServerConnection.Limits().call
    guard encoded().count - 1 > limit else { return }
    throw StepperClientError(.invalidParameter, "\(method) may have \(limit) bytes, and this call has more")
  }
}
