// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

public import Varlink

extension ManagerInterface {
  /// Write remembered values to disk now.
  public enum Save: VarlinkMethod {
    /// `org.stepperd.manager.Save`.
    public static let name = "org.stepperd.manager.Save"

    /// ``Save`` has no parameters.
    public typealias Parameters = NoParameters

    /// ``Save`` has no results.
    public typealias Reply = NoParameters
  }
}
