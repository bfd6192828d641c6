internal import Glibc
internal import Varlink

/// The value of an environment variable; nil if it is not set.
///
/// The corresponding C function is `getenv`.
package func environmentVariable(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe OutsideText.shown(value)
}
