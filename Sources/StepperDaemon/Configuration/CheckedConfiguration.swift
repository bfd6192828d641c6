import StepperConfiguration

/// A configuration that has passed every check that may fail: it can be put in use.
nonisolated struct CheckedConfiguration: Sendable {
  var loaded: ConfigurationFile.Loaded
  var authorization: Authorization
  var socketGroup: UInt32?

  /// Reads `file`; see ``ConfigurationFile/load(replacing:)``.
  init(
    _ file: ConfigurationFile, scope: Paths.Scope, replacing running: ConfigurationFile.Loaded? = nil
  ) throws(ConfigurationFailure) {
    loaded = try file.load(replacing: running)
    let accounts = loaded.accounts(scope: scope)
    let (errors, warnings) = (accounts.errors, accounts.warnings)
    guard errors.isEmpty else { throw ConfigurationFailure(problems: errors) }
    loaded.warnings += warnings
    loaded.missingAccounts = warnings.map { "\($0.keyPath): \($0.message)" }
    authorization = Authorization(accounts, scope: scope)
    // It is used only when the daemon is started, which must not fail then.
    socketGroup = accounts.socketGroup
  }
}

/// What became of a reading of the configuration file.
nonisolated indirect enum ConfigurationReading: Sendable {
  /// It is what runs. Only where nothing else was asked for.
  case unchanged
  case usable(CheckedConfiguration)
  case unusable(ConfigurationFailure)
}
