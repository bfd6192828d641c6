// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

/// Input devices behind the controls, and virtual input.
///
/// A `device` is what a [device.NAME] table of the configuration matched, or an input device of the machine
/// or of a program (org.stepperd.provider) that no table matched (state `unused`).
public enum DeviceInterface {
  /// The name of the interface.
  public static let name = "org.stepperd.device"
}
