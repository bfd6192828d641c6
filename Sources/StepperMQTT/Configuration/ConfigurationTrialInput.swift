extension ConfigurationTrial {
  /// The health of the daemon.
  package struct Health: Hashable, Sendable {
    var instance: String
    var devices: Int64
    var problems: [String]

    package init(instance: String, devices: Int64, problems: [String]) {
      (self.instance, self.devices, self.problems) = (instance, devices, problems)
    }
  }

  package enum Input: Sendable {
    /// A message whose signature was verified.
    case received(SignedConfiguration)
    /// The daemon's answer to `check`; with what is wrong, or nil.
    case checked(String?)
    /// The daemon was not there for `check`, or did not answer.
    case unchecked
    /// The daemon is there.
    case daemonThere
    /// The answer to `ask`; nil: there is none.
    case health(Health?)
    /// The files of `keep` and `install` were written.
    case written
    /// One of them could not be written; with the reason, on one line.
    case failed(String)
    /// A deadline may have come.
    case time
  }

  package enum Effect: Hashable, Sendable {
    /// Write this state, which then becomes ``kept``.
    case keep(KeptConfiguration)
    /// Replace the included file.
    case install(String)
    /// Have the daemon check this file.
    case check(String)
    /// Ask the daemon for its health.
    case ask
    /// ``kept`` has changed: publish and log it.
    case report
    /// A message is not accepted; with its version and the reason.
    case ignore(Int64, String)
  }
}
