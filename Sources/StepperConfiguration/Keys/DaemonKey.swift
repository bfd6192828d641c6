extension Kind<DaemonSettings.Account> {
  /// A user or a group.
  fileprivate static var account: Self {
    let (user, group) = ("user:", "group:")
    return parsed(
      upTo: group.utf8.count + ConfigurationLimit.groupBytes, type: "`\"user:NAME\"`, `\"group:NAME\"`",
      "\"user:NAME\" or \"group:NAME\"",
      parse: { text in
        if text.hasPrefix(user), text != user { return .user(String(text.dropFirst(user.count))) }
        if text.hasPrefix(group), text != group { return .group(String(text.dropFirst(group.count))) }
        return nil
      },
      text: { account in
        switch account {
        case .user(let name): quoted(user + name)
        case .group(let name): quoted(group + name)
        }
      })
  }
}

/// The tables of a document.
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
