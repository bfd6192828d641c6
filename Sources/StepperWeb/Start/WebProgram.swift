package import Logging
internal import NIOCore
internal import NIOPosix
internal import StepperLinux
internal import SystemPackage

/// What the web program is to do, besides its settings.
package struct WebOptions: Sendable {
  package var settings: WebSettings
  /// The daemon's socket; nil: where it usually is.
  package var address: String?
  /// The folder of the panel.
  package var files: String
  /// The sockets that the service manager opened; they take the place of the addresses.
  package var inherited: [CInt] = []
  /// Signalled when the token file is to be read again.
  package var tokenFileChanges = Signal()

  package init(_ settings: WebSettings, files: String) {
    (self.settings, self.files) = (settings, files)
  }
}

/// Why the program cannot start.
package struct WebStartFailure: Error, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Something is configured that cannot be.
    case configuration
    /// Something that is needed is not there.
    case unavailable
  }

  package let kind: Kind
  package let description: String

  init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}

/// The web program, ready to serve.
package struct WebProgram: Sendable {
  /// Where it can be reached.
  package let addresses: [String]
  private let hub: ControlHub
  private let daemon: DaemonConnections
  private let server: WebServer
  /// nil: no token is needed.
  private let tokens: Tokens?
  private let changes: Signal
  private let logger: Logger

  /// Reads files and listens. Throws if it cannot serve as configured.
  package init(_ options: WebOptions, logger: Logger) async throws(WebStartFailure) {
    let settings = options.settings
    let tokens = try settings.tokenFile.map { path throws(WebStartFailure) in try Self.tokens(path) }
    (self.tokens, changes, self.logger) = (tokens, options.tokenFileChanges, logger)
    let panel = try Self.folder(options.files, "the panel's files")
    let pages = try settings.pages.map { path throws(WebStartFailure) in try Self.folder(path, "pages") }
    // Before anything listens; the service manager's sockets are known only then.
    if tokens == nil {
      try Self.checkAccess(settings, at: options.inherited.isEmpty ? settings.listen : [])
    }
    let listening = try await WebListening(
      settings.listen, inherited: options.inherited, proxies: settings.trustedProxies, logger: logger)
    do throws(WebStartFailure) {
      if tokens == nil { try Self.checkAccess(settings, at: listening.addresses) }
    } catch {
      await listening.close()
      throw error
    }
    let hub = ControlHub()
    daemon = DaemonConnections(
      address: options.address, match: settings.match, language: settings.language ?? EventID.usualLanguage,
      hub: hub,
      logger: logger)
    self.hub = hub
    let hosts = HostRules(listening.addresses, hosts: settings.hosts)
    let gate = Gate(
      AccessRules(hosts: hosts, isReadOnly: settings.isReadOnly), tokens: tokens,
      proxies: settings.trustedProxies)
    let application = WebApplication(
      daemon, settings, gate: gate, panel: panel, pages: pages, problems: listening.problems, logger: logger)
    addresses = listening.addresses.map(\.page)
    server = WebServer(listening, logger: logger) { request, connection in
      await application.respond(to: request, over: connection)
    }
  }

  /// Throws what ``init(_:logger:)`` would throw of `settings`, without listening.
  package static func check(_ settings: WebSettings) throws(WebStartFailure) {
    if let path = settings.tokenFile {
      _ = try tokens(path)
    } else {
      try checkAccess(settings, at: settings.listen)
    }
    if let path = settings.pages { _ = try folder(path, "pages") }
  }

  /// Throws if others than this machine's programs could use the controls without a token. A proxy that is trusted, or a name
  /// that is not this machine's alone, brings them wherever it listens.
  private static func checkAccess(
    _ settings: WebSettings, at addresses: [WebAddress]
  ) throws(WebStartFailure) {
    let (who, remedy): (String, String)
    if let open = addresses.first(where: \.isOpen) {
      (who, remedy) = (
        "in the network could use the controls at \(open)", "listen at 127.0.0.1 or [::1] only"
      )
    } else if !settings.trustedProxies.isEmpty {
      (who, remedy) = ("whom a proxy lets in could use the controls", "leave out trusted-proxy")
    } else if let name = settings.hosts.first(where: { !HostRules.isLoopback($0) }) {
      (who, remedy) = ("who reaches \(name) could use the controls", "leave that name out of hosts")
    } else {
      return
    }
    throw WebStartFailure(
      .configuration,
      "everybody \(who): name a file of tokens with token-file = \"…\", put them into the credential web-tokens, or \(remedy)"
    )
  }

  private static func tokens(_ path: String) throws(WebStartFailure) -> Tokens {
    let tokens = Tokens(path)
    do throws(Tokens.Failure) {
      try tokens.read()
    } catch {
      throw WebStartFailure(error.isOfSystem ? .unavailable : .configuration, "\(error)")
    }
    return tokens
  }

  private static func folder(_ path: String, _ what: String) throws(WebStartFailure) -> Folder {
    do throws(Errno) {
      return try Folder(path)
    } catch {
      throw WebStartFailure(.unavailable, "the folder of \(what) \(path) cannot be opened: \(error)")
    }
  }

  /// Serves until the task is cancelled. Throws if that is not possible any more.
  package func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.daemon.run() }
      group.addTask { await self.hub.keepTicking() }
      group.addTask { await self.keepTokens() }
      group.addTask {
        // The first requests wait until the daemon was asked, so that they are not refused.
        await self.daemon.begin(within: .milliseconds(500))
        try await self.server.run()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Reads the token file again when it may have changed, until the task is cancelled. Streams end with their token, and
  /// with them their holds; other holds end with their lease, which is not renewed without a token.
  private func keepTokens() async {
    while !Task.isCancelled {
      await changes.wait()
      // An editor may write in several steps. Cancelled, the loop ends.
      try? await Task.sleep(for: Self.settleTime)
      guard let tokens, !Task.isCancelled else { continue }
      do throws(Tokens.Failure) {
        try tokens.read()
        logger.info("the token file was read again")
      } catch {
        if error.isShortage { changes.signal() }
        logger.error("the token file was read again, and \(error)")
      }
      hub.endStreams { tokens.has($0) }
    }
  }

  private static let settleTime = Duration.milliseconds(100)

  /// Ends the streams and takes no more connections; ``run()`` ends when all is answered, or after `limit`.
  package func stop(within limit: Duration = .milliseconds(500)) async {
    hub.stop()
    await server.stop(within: limit)
  }

  /// Returns when the threads that answer requests have been run.
  package func checkThreads() async {
    // Loops end with the program only.
    try? await MultiThreadedEventLoopGroup.singleton.any().submit {}.get()
  }

  /// What the service manager shows.
  package var status: String {
    let streams = hub.streamCount
    let daemon =
      hub.read(\.connection).problem.map { "not connected to stepperd: \($0)" } ?? "connected to stepperd"
    return "\(addresses.joined(separator: " ")); \(streams) page\(streams == 1 ? "" : "s") open; \(daemon)"
  }
}
