internal import Glibc
internal import Varlink

/// The environment of this process.
package enum Environment {
  /// The value of the environment variable `name`; nil if it is not set.
  package static func value(of name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe OutsideText.shown(value)
  }

  /// The locale of `category`, for example `LC_NUMERIC`: the value of the first variable that is set and not empty.
  package static func locale(of category: String, _ value: (_ name: String) -> String?) -> String? {
    ["LC_ALL", category, "LANG"].compactMap(value).first { !$0.isEmpty }
  }
}
