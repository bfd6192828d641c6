// Made by varlink-generate from io.systemd.service.varlink; do not edit.

public import Varlink

extension SystemdServiceInterface {
  /// Checks that the service answers.
  public enum Ping: VarlinkMethod {
    /// `io.systemd.service.Ping`.
    public static let name = "io.systemd.service.Ping"

    /// ``Ping`` has no parameters.
    public typealias Parameters = NoParameters

    /// ``Ping`` has no results.
    public typealias Reply = NoParameters
  }
}
