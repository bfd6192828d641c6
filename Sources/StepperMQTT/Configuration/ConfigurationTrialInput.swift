extension ConfigurationTrial {
  /// How the daemon is doing.
  package struct Health: Hashable, Sendable {
    var instance: String
    var devices: Int64
    var problems: [String]

    package init(instance: String, devices: Int64, problems: [String]) {
      (self.instance, self.devices, self.problems) = (instance, devices, problems)
    }
  }

  package enum Input: Sendable {
    /// A message that was verified.
    case received(SignedConfiguration)
    /// The daemon's check of `check`; with what is wrong.
    case checked(String?)
    /// The daemon was not there for `check`, or has not answered.
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
    /// Write what is kept, which ``kept`` is then.
    case keep(KeptConfiguration)
    /// Replace the included file.
    case install(String)
    /// Have the daemon check it.
    case check(String)
    /// Ask the daemon how it is.
    case ask
    /// ``kept`` has changed: publish and log it.
    case report
    /// A message is not taken; with its version and the reason.
    case ignore(Int64, String)
  }
}
