// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

public import Varlink

extension ManagerInterface {
  /// From now on this connection may do what every client may, whatever its user may do: nothing of an
  /// administrator, and no attaching of devices. For programs that pass on what others ask. One-way it takes
  /// no time: calls are done in their order, and a daemon that does not know it goes on with the user's.
  public enum Restrict: VarlinkMethod {
    /// `org.stepperd.manager.Restrict`.
    public static let name = "org.stepperd.manager.Restrict"

    /// ``Restrict`` has no parameters.
    public typealias Parameters = NoParameters

    /// ``Restrict`` has no results.
    public typealias Reply = NoParameters
  }
}
