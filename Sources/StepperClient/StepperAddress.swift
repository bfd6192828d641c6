/// Where a daemon listens: the path of a Unix socket.
///
/// Programs that do not name one look at `STEPPERD_ADDRESS`, then for the user's daemon
/// (`$XDG_RUNTIME_DIR/stepperd/org.stepperd`), then for the system's (`/run/stepperd/org.stepperd`).
public struct StepperAddress: Hashable, Sendable, CustomStringConvertible {
  /// The environment variable that names the socket: a path, or `unix:` and a path.
  public static let environmentVariable = "STEPPERD_ADDRESS"

  /// The socket of the system service.
  public static let system = StepperAddress("/run/stepperd/org.stepperd")

  /// The path of the socket, without `unix:`.
  public let path: String

  /// The socket at `text`: a path, or `unix:` and a path as other Varlink programs write it.
  ///
  /// What follows a `;` (Varlink's address properties, for example `;mode=0600`) means nothing to a client.
  public init(_ text: String) {
    let path = text.hasPrefix("unix:") ? text.dropFirst("unix:".count) : text[...]
    self.path = String(path.prefix { $0 != ";" })
  }

  /// The path.
  public var description: String { path }

  /// The addresses to try, in order: `explicit` alone if it is not empty, else the one of the environment alone
  /// if it names one, else the user's and the system's socket.
  public static func candidates(
    explicit: String?, environment: (_ name: String) -> String? = { environmentValue($0) }
  ) -> [StepperAddress] {
    if let explicit, !explicit.isEmpty { return [StepperAddress(explicit)] }
    if let named = environment(environmentVariable), !named.isEmpty { return [StepperAddress(named)] }
    guard let runtime = environment("XDG_RUNTIME_DIR"), !runtime.isEmpty else { return [system] }
    return [StepperAddress("\(runtime)/stepperd/org.stepperd"), system]
  }

  /// The value of the environment variable `name`; nil if it is not set.
  public static func environmentValue(_ name: String) -> String? { Environment.value(of: name) }
}
