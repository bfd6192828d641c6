internal import Glibc
package import Varlink

/// The value of an environment variable, with replacement characters where it is not UTF-8; nil if it is not set.
package func environmentVariable(_ name: String) -> String? { environmentBytes(name)?.shown }

/// The unchanged value of an environment variable; nil if it is not set.
///
/// The corresponding C function is `getenv`.
package func environmentBytes(_ name: String) -> OutsideText? {
  unsafe getenv(name).flatMap { unsafe OutsideText($0, atMost: .max) }
}

/// The values of environment variables, which are then removed.
func takeVariables(_ names: [String]) -> [String?] {
  defer { for name in names { unsafe unsetenv(name) } }
  return names.map(environmentVariable)
}
