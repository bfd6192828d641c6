package import Logging
internal import NIOCore
internal import NIOPosix
internal import StepperLinux
internal import SystemPackage

/// The options of the web program, in addition to its settings.
package struct WebOptions: Sendable {
  package var settings: WebSettings
  /// The daemon's socket; nil: the default one.
  package var address: String?
  /// The folder of the panel.
  package var files: String
  /// The sockets that the service manager opened. They replace the configured addresses.
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
    /// The configuration asks for something impossible.
    case configuration
    /// Something necessary is missing.
    case unavailable
  }

  package let kind: Kind
  package let description: String

  init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}

/// The web program, ready to serve.
package struct WebProgram: Sendable {
  /// The addresses at which the program can be reached.
  package let addresses: [String]
  private let hub: ControlHub
  private let daemon: DaemonConnections
  private let server: WebServer
  /// nil: no token is needed.
  private let tokens: Tokens?
  private let changes: Signal
  private let logger: Logger

  /// Reads the files and starts to listen. Throws if the program cannot serve as configured.
  package init(_ options: WebOptions, logger: Logger) async throws(WebStartFailure) {
    let settings = options.settings
    let tokens = try settings.tokenFile.map { path throws(WebStartFailure) in try Self.tokens(path) }
    (self.tokens, changes, self.logger) = (tokens, options.tokenFileChanges, logger)
    let panel = try Self.folder(options.files, "the panel's files")
    let pages = try settings.pages.map { path throws(WebStartFailure) in try Self.folder(path, "pages") }
    try Self.checkPlace(settings)
    // Checked before anything listens. The addresses of the service manager's sockets are known and checked only afterwards.
    if tokens == nil {
      try Self.checkAccess(settings, at: options.inherited.isEmpty ? settings.listen : [])
    }
    let listening = try await WebListening(
      settings.addresses, inherited: options.inherited, proxies: settings.trustedProxies, logger: logger)
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

  /// All failures that ``init(_:logger:)`` would throw for `settings`, found without listening.
  package static func problems(_ settings: WebSettings) -> [WebStartFailure] {
    var problems: [WebStartFailure] = []
    func check(_ body: () throws(WebStartFailure) -> Void) {
      do throws(WebStartFailure) { try body() } catch { problems.append(error) }
    }
    check { () throws(WebStartFailure) in
      if let path = settings.tokenFile {
        _ = try tokens(path)
      } else {
        try checkAccess(settings, at: settings.listen)
      }
    }
    check { () throws(WebStartFailure) in if let path = settings.pages { _ = try folder(path, "pages") } }
    check { () throws(WebStartFailure) in try checkPlace(settings) }
    return problems
  }

  /// Throws if the token file is among the files that are served to everybody.
  private static func checkPlace(_ settings: WebSettings) throws(WebStartFailure) {
    guard let file = settings.tokenFile, let pages = settings.pages, let folder = realPath(pages),
      let place = realPath(file), FilePath(place).starts(with: FilePath(folder))
    else { return }
    throw WebStartFailure(
      .configuration,
      "the token file \(file) is in the folder of pages, \(pages), which everybody may read: move it elsewhere"
    )
  }

  /// Throws if anybody beyond this machine's programs could use the controls without a token. A trusted proxy, or a name that means more
  /// than this machine, lets them in wherever the program listens.
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

  /// Serves until the task is cancelled. Throws if serving becomes impossible.
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

  /// Reads the token file again whenever it may have changed, until the task is cancelled. Streams end with their token, and their holds
  /// with them. Other holds end with their lease, which is not renewed without a token.
  private func keepTokens() async {
    var isShort = false
    while !Task.isCancelled {
      if !isShort { await changes.wait() }
      // An editor may write in several steps. When cancelled, the loop ends.
      try? await Task.sleep(for: isShort ? Self.retryTime : Self.settleTime)
      guard let tokens, !Task.isCancelled else { continue }
      do throws(Tokens.Failure) {
        try tokens.read()
        isShort = false
        logger.info("the token file was read again")
      } catch {
        let wasShort = isShort
        isShort = error.isShortage
        if !isShort || !wasShort { logger.error("the token file was read again: \(error)") }
      }
      hub.endStreams { tokens.has($0) }
    }
  }

  private static let settleTime = Duration.milliseconds(100)
  /// The time between two attempts while the system lacks descriptors or memory.
  private static let retryTime = Duration.seconds(1)

  /// Ends the streams and accepts no more connections. ``run()`` returns when all requests are answered, or after `limit`.
  package func stop(within limit: Duration = .milliseconds(500)) async {
    hub.stop()
    await server.stop(within: limit)
  }

  /// Returns once one of the threads that answer requests has run a task.
  package func checkThreads() async {
    // Event loops end only with the program.
    try? await MultiThreadedEventLoopGroup.singleton.any().submit {}.get()
  }

  /// The status text for the service manager.
  package var status: String {
    let streams = hub.streamCount
    let daemon =
      hub.read(\.connection).problem.map { "not connected to stepperd: \($0)" } ?? "connected to stepperd"
    return "\(addresses.joined(separator: " ")); \(streams) page\(streams == 1 ? "" : "s") open; \(daemon)"
  }
}
