internal import StepperClient
internal import StepperInterfaces
internal import StepperText

/// The reply of a daemon at an address, or the reason why there is none.
struct DaemonFacts: Hashable, Sendable {
  enum Contact: Hashable, Sendable {
    case status(ManagerInterface.GetStatus.Reply, devices: [DeviceInterface.Device], controls: [String])
    case noSocket
    /// systemd listens at the socket and the service is not running. It is not called, because that would start it.
    case stopped
    /// The socket refuses: no program listens at it.
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

  /// Why it cannot be used although something listens at its socket, as a sentence.
  var unusable: String? {
    if case .failed(let reason) = answer { "the daemon at \(address) cannot be used: \(reason)" } else { nil }
  }

  static let systemAddress = StepperAddress.system.path
}

struct CallerFacts: Hashable, Sendable {
  var identity: Identity
  var environment: [String: String]
  /// The address of the command line or of `STEPPERD_ADDRESS`; nil: none is named.
  var namedAddress: String?
  /// The version of this program.
  var version: String

  var isRoot: Bool { identity.user == 0 }

  /// Whether the named address is that of `STEPPERD_ADDRESS`.
  var isNamedByEnvironment: Bool {
    namedAddress.map { environment["STEPPERD_ADDRESS"]?.has($0) ?? false } ?? false
  }
}
