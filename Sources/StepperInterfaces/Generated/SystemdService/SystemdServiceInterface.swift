// Made by varlink-generate from io.systemd.service.varlink; do not edit.

/// Basic properties of a service, in the form in which systemd's services have them. The configuration is
/// reloaded by org.stepperd.manager.
public enum SystemdServiceInterface {
  /// The name of the interface.
  public static let name = "io.systemd.service"
}
