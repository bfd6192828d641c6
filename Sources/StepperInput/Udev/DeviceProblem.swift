internal import Glibc
internal import StepperSystem
package import SystemPackage

/// Why a device cannot be used, and what can be done about it.
package struct DeviceProblem: Error, Hashable, Sendable {
  package enum State: String, Hashable, Sendable {
    /// The daemon may not open it.
    case denied
    /// Another program holds the grab.
    case busy
    /// It is not there, or not any more, or of no use.
    case absent
  }

  package var state: State
  /// One sentence for people.
  package var message: String

  init(state: State, message: String) {
    self.state = state
    self.message = message
  }

  /// What `error` means that opening, grabbing or reading `node` failed with.
  package init(node: String, error: Errno) {
    switch error {
    case .permissionDenied, .notPermitted:
      state = .denied
      message = Self.denial(of: node, error: error)
    case .resourceBusy:
      state = .busy
      message = "\(node) is grabbed by another program; stop it, or set grab = false for this device"
    case .noSuchFileOrDirectory, .operationNotSupportedByDevice, .noSuchAddressOrDevice:
      state = .absent
      message = "\(node) is gone"
    default:
      state = .absent
      message = "\(node) cannot be used: \(error)"
    }
  }

  /// `node` is read, but `error` keeps its outputs from being written.
  package init(readOnly node: String, error: Errno) {
    state = .denied
    message = "its outputs are not used, for it may not be written; \(Self.denial(of: node, error: error))"
  }

  private static func denial(of node: String, error: Errno) -> String {
    let remedy =
      "add a udev rule for it (see udev-rules/70-stepperd.rules) or let the daemon's user join its group"
    var status = stat()
    guard unsafe stat(node, &status) == 0 else { return "permission denied: \(node); \(remedy)" }
    let octal = String(status.st_mode & 0o7777, radix: 8)
    let mode = String(repeating: "0", count: max(0, 4 - octal.count)) + octal
    // A sandbox refuses with EPERM, and no file mode helps against that.
    guard error == .permissionDenied else {
      return "\(node) is forbidden (\(error)), though its mode is \(mode); see DeviceAllow= of the service"
    }
    let owner =
      "\(AccountFile.users.name(of: status.st_uid)):\(AccountFile.groups.name(of: status.st_gid))"
    return "permission denied: \(node) belongs to \(owner) (\(mode)); \(remedy)"
  }
}
