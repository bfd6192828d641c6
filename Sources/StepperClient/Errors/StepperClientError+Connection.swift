internal import Glibc
internal import Varlink

extension StepperClientError {
  /// The error when none of `attempts` succeeded. `canSee` tells whether this user may look into the directory of a
  /// path.
  static func cannotConnect(
    _ attempts: [(address: StepperAddress, error: CInt)], canSee: (_ path: String) -> Bool = canSee,
    runtimeDirectory: String? = StepperAddress.environmentValue("XDG_RUNTIME_DIR")
  ) -> StepperClientError {
    let tried = attempts.map { "\n  \($0.address.path): \(reason($0.address.path, $0.error))" }.joined()
    let refused = attempts.filter { $0.error == EACCES || $0.error == EPERM }.map(\.address.path)
    let advice =
      if let path = refused.first(where: canSee) {
        isForItsUser(path)
          ? "its socket is only for the user whose daemon it is"
          : "this user may not talk to the daemon: become a member of the group of the socket, by default stepperd "
            + "(sudo usermod --append --groups stepperd \"$USER\"), and log in again"
      } else if let runtimeDirectory, refused.contains(where: { $0.hasPrefix("\(runtimeDirectory)/") }) {
        """
        XDG_RUNTIME_DIR is \(runtimeDirectory), which is closed to this user: unset it,
          or name the socket in \(StepperAddress.environmentVariable)
        """
      } else if !refused.isEmpty {
        "the directory of the socket is closed to this user"
      } else if attempts.contains(where: { $0.error == EMFILE || $0.error == ENFILE }) {
        "there is no room for another open file: close some, or raise the limit (ulimit -n)"
      } else if attempts.contains(where: { $0.error == ENAMETOOLONG }) {
        "the path of a socket has at most 107 bytes"
      } else if attempts.allSatisfy({ isOtherFile($0.address.path) || hasScheme($0.address.path) }) {
        "an address is the path of a daemon's socket, as \(StepperAddress.system.path)"
      } else if !(runtimeDirectory?.hasPrefix("/") ?? false) {
        """
        start it with 'systemctl start stepperd', or name its socket in \(StepperAddress.environmentVariable),
          or for this user's daemon set XDG_RUNTIME_DIR to the absolute path that it has
        """
      } else {
        """
        start it with 'systemctl start stepperd' (system service) or 'stepperd' (this user's),
          or name its socket in \(StepperAddress.environmentVariable)
        """
      }
    return StepperClientError(.cannotConnect, "cannot connect to stepperd; tried\(tried)\n  \(advice)")
  }

  /// `connect` reports ECONNREFUSED for a file or a directory, as for a socket on which no program listens.
  private static func reason(_ path: String, _ error: CInt) -> String {
    error == ECONNREFUSED && isOtherFile(path) ? "not a socket" : text(of: error)
  }

  /// Whether this is an address of another kind, as `tcp:`; or none, as what follows `unix:` may be.
  private static func hasScheme(_ path: String) -> Bool {
    path.isEmpty || !path.hasPrefix("/") && path.prefix { $0 != "/" }.contains(":")
  }

  private static func isOtherFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFSOCK
  }

  /// Whether membership in the group of a socket gives no access to it.
  private static func isForItsUser(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & 0o060 == 0
  }

  private static func canSee(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0 || errno != EACCES
  }

  static func timedOut(_ what: String, after timeout: Duration) -> StepperClientError {
    let name = what.split(separator: ".").last ?? ""
    let isQuestion = ["Get", "List", "Describe", "Subscribe", "Check", "Monitor"].contains {
      name.hasPrefix($0)
    }
    let note = isQuestion ? "" : "; the daemon may still perform it later"
    return StepperClientError(.timedOut, "no answer to \(what) within \(timeout)\(note)")
  }

  static let cancelled = StepperClientError(.cancelled, "cancelled while waiting for the daemon")

  /// Whether the daemon did not answer, or what answered does not speak the protocol.
  package var isOfConnection: Bool {
    [.cannotConnect, .disconnected, .timedOut, .protocolViolation].contains(code)
  }

  /// Whether the daemon did not answer, or takes no calls at present.
  package var isAbsence: Bool { isOfConnection || [.stopping, .tooManyConnections].contains(code) }

  /// The message on one line; if it has several lines, the first one is a heading and is left out.
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
    StepperClientError(
      .protocolViolation, "the program that answers at the socket is not stepperd: \(reason)")
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

  /// Throws for a call that is longer than the daemon accepts; the daemon would close the connection.
  func checkLength() throws(StepperClientError) {
    let limit = VarlinkServerConnection.Limits().call
    guard encoded().count - 1 > limit else { return }
    throw StepperClientError(.invalidParameter, "\(method) may have \(limit) bytes, and this call has more")
  }
}
