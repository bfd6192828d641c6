/// Where effects of a control are played or its value is shown.
package struct OutputReference: Hashable, Sendable {
  /// The name of a `[device.NAME]` table.
  package var device: String
  /// The name of one output or light of it; nil: the best it has.
  package var output: String?
}
