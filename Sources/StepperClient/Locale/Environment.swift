internal import Glibc
internal import Varlink

/// The environment of this process.
package enum Environment {
  /// The value of the environment variable `name`; nil if it is not set.
  package static func value(of name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe OutsideText.shown(value)
  }
}
