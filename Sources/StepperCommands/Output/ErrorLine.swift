internal import ArgumentParser
internal import StepperClient
internal import Varlink

/// An error or a notice in JSON, as one line of the standard error.
struct ErrorLine {
  /// The error of the daemon, such as `org.stepperd.control.NoSuchControl`; absent if the error is this program's own.
  var error: String?
  /// The exit status; absent for a notice, after which the command goes on.
  var exitStatus: Int32?
  var message: String

  init(_ failure: CommandFailure) {
    self.init(lines: failure.lines)
    (error, exitStatus) = (failure.error, failure.code.rawValue)
  }

  init(lines: [String]) { message = lines.joined(separator: "\n") }

  var json: JSONObject { ["error": error, "exitStatus": exitStatus.map { Int($0) }, "message": message] }
}
