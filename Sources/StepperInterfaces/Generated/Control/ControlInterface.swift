// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

/// Named values driven by knobs, buttons and switches.
///
/// A `control` is a value with a stable name (`volume`, `page`, `mute`) which stepperd derives from input
/// devices and which any client may read, follow and, if permitted, change. The number and meaning of
/// controls is decided by the configuration, not by this interface.
public enum ControlInterface {
  /// The name of the interface.
  public static let name = "org.stepperd.control"
}
