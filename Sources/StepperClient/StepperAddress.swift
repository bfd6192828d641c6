/// Where a daemon listens: the path of a Unix socket.
///
/// Without an explicit address, programs use `STEPPERD_ADDRESS`, then the socket of the user's daemon
/// (`$XDG_RUNTIME_DIR/stepperd/org.stepperd`), then that of the system's (`/run/stepperd/org.stepperd`).
public struct StepperAddress: Hashable, Sendable, CustomStringConvertible {
  /// The environment variable that names the socket: see ``init(_:)``.
  public static let environmentVariable = "STEPPERD_ADDRESS"

  /// The socket of the system service.
  public static let system = StepperAddress("/run/stepperd/org.stepperd")

  /// The path of the socket, without `unix:`; or `@` and a name in the abstract namespace of unix(7), where a service
  /// manager may have created the socket.
  public let path: String

  var isAbstract: Bool { path.hasPrefix("@") }

  /// The socket at `text`: a path or `@NAME`, with or without `unix:` before it as other Varlink programs write it.
  ///
  /// The part from a `;` on (Varlink's address properties, for example `;mode=0600`) is ignored, since it means
  /// nothing to a client.
  public init(_ text: String) {
    let path = text.hasPrefix("unix:") ? text.dropFirst("unix:".count) : text[...]
    self.path = String(path.prefix { $0 != ";" })
  }

  /// The path.
  public var description: String { path }

  /// The addresses to try, in order: only `explicit` if it is not empty, else only the address in the environment if
  /// there is one, else the user's and the system's socket.
  public static func candidates(
    explicit: String?, environment: (_ name: String) -> String? = { environmentValue($0) }
  ) -> [StepperAddress] {
    if let explicit, !explicit.isEmpty { return [StepperAddress(explicit)] }
    if let named = environment(environmentVariable), !named.isEmpty { return [StepperAddress(named)] }
    // A relative path would depend on the working directory; the daemon ignores one as well.
    guard let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return [system] }
    return [StepperAddress("\(runtime)/stepperd/org.stepperd"), system]
  }

  /// The value of the environment variable `name`; nil if it is not set.
  public static func environmentValue(_ name: String) -> String? { Environment.value(of: name) }
}
