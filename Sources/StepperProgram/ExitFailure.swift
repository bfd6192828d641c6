internal import Glibc

/// Why a program ends, and with which of the codes of sysexits.h.
package struct ExitFailure: Error, Hashable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The configuration has errors, or what it names cannot be used.
    case configuration
    /// Something that the program needs is not there.
    case unavailable
    /// The system refuses.
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
  /// For people, each a line.
  package let lines: [String]
  /// Whether the lines begin with what they are about, such as a file, so that the program's name is not put before them.
  let isComplete: Bool

  package var description: String { lines.joined(separator: "; ") }

  /// A reason, which is printed behind the program's name.
  package init(_ code: Code, _ message: String) { (self.code, lines, isComplete) = (code, [message], false) }

  /// The problems of a file, each as `FILE:LINE:COLUMN: error: …`.
  package init(_ code: Code, problems: [String]) { (self.code, lines, isComplete) = (code, problems, true) }
}
