extension Kind<DaemonSettings.Account> {
  /// A user or a group.
  fileprivate static var account: Self {
    parsed(
      upTo: "group:".utf8.count + ConfigurationLimit.groupBytes,
      type: "`\"user:NAME\"`, `\"group:NAME\"`", "\"user:NAME\" or \"group:NAME\"",
      parse: { text in
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        guard parts.count == 2, let kind = DaemonSettings.Account.Kind(word: parts[0]), !parts[1].isEmpty
        else { return nil }
        return DaemonSettings.Account(kind, parts[1])
      }, text: { quoted("\($0.kind.rawValue):\($0.name)") })
  }
}

/// The top-level tables of a document.
enum RootKey: String, ConfigurationKey {
  case daemon, device, profile, control
  case link
  case mqtt
  case serial
  case midi

  typealias Target = Void
}

/// `[daemon]`.
enum DaemonKey: String, ConfigurationKey {
  case socket
  case socketGroup = "socket-group"
  case adminGroup = "admin-group"
  case providers
  case include
  case stateDirectory = "state-directory"
  case logLevel = "log-level"
  case saveAfter = "save-after"
  case saveInterval = "save-interval"
  case idleAfter = "idle-after"
  case onIdle = "on-idle"
  case onActive = "on-active"

  static var standard: DaemonSettings { DaemonSettings() }

  var key: Key<DaemonSettings> {
    switch self {
    case .socket: Key(\.socketPath, .path(upTo: ConfigurationLimit.socketPathBytes))
    case .socketGroup: Key(\.socketGroup, .text(upTo: ConfigurationLimit.groupBytes))
    case .adminGroup: Key(\.adminGroup, .text(upTo: ConfigurationLimit.groupBytes))
    case .providers: Key(\.providers, .list(of: .account, upTo: ConfigurationLimit.providers))
    case .include: Key(\.includedFile, .path())
    case .stateDirectory: Key(\.stateDirectory, .path())
    case .logLevel: Key(\.logLevel, .word)
    case .saveAfter: Key(\.saveAfter, .duration(in: .zero ... .seconds(3_600)))
    case .saveInterval: Key(\.saveInterval, .duration(in: .zero ... .seconds(86_400)))
    case .idleAfter: Key(\.idleAfter, .duration(in: .seconds(1) ... .seconds(86_400)))
    case .onIdle, .onActive: .other
    }
  }
}
