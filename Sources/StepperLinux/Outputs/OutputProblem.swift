package import StepperCore
package import SystemPackage

/// A failed output, which is disabled; the device remains in use without it.
package struct OutputProblem: Error, Hashable, Sendable {
  package var kind: OutputKind
  package var error: Errno
  /// The node of the device, or the light.
  package var name: String

  /// One sentence for people.
  package var message: String { "the output \(kind.rawValue) of \(name) is disabled: \(error)" }
}
