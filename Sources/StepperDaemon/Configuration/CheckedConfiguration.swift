import StepperConfiguration

/// A configuration that has passed every check that can fail. It can be put into use.
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
    // Only a start uses the group. The check of a reload covers it too, so that the next start does not fail.
    socketGroup = accounts.socketGroup
  }
}

/// The result of reading the configuration file.
nonisolated indirect enum ConfigurationReading: Sendable {
  /// The file is that of the running configuration. Never the result for a reload.
  case unchanged
  case usable(CheckedConfiguration)
  case unusable(ConfigurationFailure)
}
