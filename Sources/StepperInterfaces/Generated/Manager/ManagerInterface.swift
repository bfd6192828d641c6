// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

/// Running the daemon itself. Needs administrative permission, except GetStatus, Check and Restrict.
public enum ManagerInterface {
  /// The name of the interface.
  public static let name = "org.stepperd.manager"
}
