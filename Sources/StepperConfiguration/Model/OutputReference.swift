/// An output or a light of a device, `"DEVICE"` or `"DEVICE:NAME"` in the configuration.
package struct OutputReference: Hashable, Sendable {
  /// The name of a `[device.NAME]` table.
  package var device: String
  /// The name of one output or light of the device; nil: the best one.
  package var output: String?
}
