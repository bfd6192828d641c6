internal import Glibc
package import Varlink

/// The value of an environment variable, with replacements where it is not UTF-8; nil if it is not set.
package func environmentVariable(_ name: String) -> String? { environmentBytes(name)?.shown }

/// The value of an environment variable as it is; nil if it is not set.
///
/// The corresponding C function is `getenv`.
package func environmentBytes(_ name: String) -> OutsideText? {
  unsafe getenv(name).flatMap { unsafe OutsideText($0, atMost: .max) }
}
