internal import StepperClient
internal import StepperInterfaces
internal import StepperText

/// The reply of a daemon at an address, or the reason why there is none.
struct DaemonFacts: Hashable, Sendable {
  enum Contact: Hashable, Sendable {
    case status(ManagerInterface.GetStatus.Reply, devices: [DeviceInterface.Device], controls: [String])
    case noSocket
    /// systemd listens at the socket and the service is not running. The daemon is not called, because a call would
    /// start it.
    case stopped
    /// The socket refuses connections, because no program listens at it.
    case stale
    /// The caller may not connect.
    case forbidden
    /// It did not reply in time.
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

  /// Why the daemon cannot be used although something listens at its socket, as a sentence.
  var unusable: String? {
    if case .failed(let reason) = answer { "the daemon at \(address) cannot be used: \(reason)" } else { nil }
  }

  static let systemAddress = StepperAddress.system.path
}

struct CallerFacts: Hashable, Sendable {
  var identity: Identity
  var environment: [String: String]
  /// The address from the command line or `STEPPERD_ADDRESS`; nil if neither names one.
  var namedAddress: String?
  /// The version of this program.
  var version: String

  var isRoot: Bool { identity.user == 0 }

  /// Whether the named address comes from `STEPPERD_ADDRESS`.
  var isNamedByEnvironment: Bool {
    namedAddress.map { environment["STEPPERD_ADDRESS"]?.has($0) ?? false } ?? false
  }
}
