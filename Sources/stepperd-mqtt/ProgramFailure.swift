internal import Glibc

/// Why the program ends.
struct ProgramFailure: Error, CustomStringConvertible {
  /// Codes of sysexits.h.
  enum Kind { case configuration, unavailable, system }

  let kind: Kind
  let description: String

  init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

  var code: CInt {
    switch kind {
    case .configuration: EX_CONFIG
    case .unavailable: EX_UNAVAILABLE
    case .system: EX_OSERR
    }
  }
}
