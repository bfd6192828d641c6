internal import Glibc
internal import StepperLinux
internal import SystemPackage

/// Why a program ends, with one of the exit codes of sysexits.h.
package struct ExitFailure: Error, Hashable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The configuration has errors, or something that it names cannot be used.
    case configuration
    /// Something that the program needs is not there.
    case unavailable
    /// The system refused an operation.
    case system

    var number: CInt {
      switch self {
      case .configuration: EX_CONFIG
      case .unavailable: EX_UNAVAILABLE
      case .system: EX_OSERR
      }
    }
  }

  package let code: Code
  /// The lines of the message for people.
  package let lines: [String]
  /// Whether the lines begin with their subject, such as a file, so that the program's name is not put before them.
  let isComplete: Bool

  package var description: String { lines.joined(separator: "; ") }

  /// A failure with one message, which is printed after the program's name.
  package init(_ code: Code, _ message: String) { (self.code, lines, isComplete) = (code, [message], false) }

  /// The problems of a file, each as `FILE:LINE:COLUMN: error: …`.
  package init(_ code: Code, problems: [String]) { (self.code, lines, isComplete) = (code, problems, true) }
}

/// Prints the requested output, such as the result of a check. Throws if it cannot be written.
package func printAnswer(_ lines: [String]) throws(ExitFailure) {
  do throws(Errno) {
    try StandardStream.answer(lines: lines)
  } catch {
    throw ExitFailure(.system, StandardStream.lost(error))
  }
}
