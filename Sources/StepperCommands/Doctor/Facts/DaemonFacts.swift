package import StepperInterfaces
internal import StepperText

/// What a daemon answered at an address, or why it did not.
package struct DaemonFacts: Hashable, Sendable {
  package enum Contact: Hashable, Sendable {
    case status(ManagerInterface.GetStatus.Reply, devices: [DeviceInterface.Device], controls: [String])
    /// There is no socket.
    case noSocket
    /// systemd holds the socket and the service is not running. The daemon is not asked, because that would start it.
    case stopped
    /// The socket refuses: no program listens at it.
    case stale
    /// The caller may not connect.
    case forbidden
    /// It did not answer in time.
    case silent
    case failed(String)
  }

  package var address: String
  package var answer: Contact

  package init(address: String, answer: Contact) {
    self.address = address
    self.answer = answer
  }

  package var status: ManagerInterface.GetStatus.Reply? {
    if case .status(let status, _, _) = answer { status } else { nil }
  }
  package var devices: [DeviceInterface.Device] {
    if case .status(_, let devices, _) = answer { devices } else { [] }
  }
  package var controls: [String]? {
    if case .status(_, _, let controls) = answer { controls } else { nil }
  }

  package static let systemAddress = "/run/stepperd/org.stepperd"
}

/// The caller of the diagnosis.
package struct CallerFacts: Hashable, Sendable {
  package var identity: Identity
  package var environment: [String: String]
  /// The address of the command line or of `STEPPERD_ADDRESS`; nil: none is named.
  package var namedAddress: String?
  /// The version of the program that looks.
  package var version: String

  package init(identity: Identity, environment: [String: String], version: String) {
    self.identity = identity
    self.environment = environment
    self.version = version
  }

  package var isRoot: Bool { identity.user == 0 }

  /// Whether the named address is that of `STEPPERD_ADDRESS`.
  var isNamedByEnvironment: Bool {
    namedAddress.map { environment["STEPPERD_ADDRESS"]?.has($0) ?? false } ?? false
  }
}
