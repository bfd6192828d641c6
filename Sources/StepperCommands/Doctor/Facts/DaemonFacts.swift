internal import StepperInterfaces
internal import StepperText

/// What a daemon answered at an address, or why it did not.
struct DaemonFacts: Hashable, Sendable {
  enum Contact: Hashable, Sendable {
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

  var address: String
  var answer: Contact

  var status: ManagerInterface.GetStatus.Reply? {
    if case .status(let status, _, _) = answer { status } else { nil }
  }
  var devices: [DeviceInterface.Device] {
    if case .status(_, let devices, _) = answer { devices } else { [] }
  }
  var controls: [String]? {
    if case .status(_, _, let controls) = answer { controls } else { nil }
  }

  static let systemAddress = "/run/stepperd/org.stepperd"
}

/// The caller of the diagnosis.
struct CallerFacts: Hashable, Sendable {
  var identity: Identity
  var environment: [String: String]
  /// The address of the command line or of `STEPPERD_ADDRESS`; nil: none is named.
  var namedAddress: String?
  /// The version of the program that looks.
  var version: String

  var isRoot: Bool { identity.user == 0 }

  /// Whether the named address is that of `STEPPERD_ADDRESS`.
  var isNamedByEnvironment: Bool {
    namedAddress.map { environment["STEPPERD_ADDRESS"]?.has($0) ?? false } ?? false
  }
}
