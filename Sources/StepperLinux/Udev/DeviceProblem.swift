internal import Glibc
internal import StepperCore
package import SystemPackage

/// The reason why a device cannot be used, and the remedy.
package struct DeviceProblem: Error, Hashable, Sendable {
  package enum State: String, Hashable, Sendable {
    /// The daemon lacks the permission to open the device.
    case denied
    /// Another program holds the grab.
    case busy
    /// The device does not exist, was removed, or is unusable.
    case absent
  }

  package var state: State
  /// One sentence for people.
  package var message: String

  init(state: State, message: String) {
    self.state = state
    self.message = message
  }

  /// The problem for an `error` in opening, grabbing or reading `node`.
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
      message = "\(node) no longer exists"
    default:
      state = .absent
      message = "\(node) cannot be used: \(error)"
    }
  }

  /// The problem if `node` can be read, but `error` prevents writing to its outputs.
  package init(readOnly node: String, error: Errno) {
    state = .denied
    message = "its outputs are not used because it is not writable; \(Self.denial(of: node, error: error))"
  }

  private static func denial(of node: String, error: Errno) -> String {
    let remedy =
      "add a udev rule for it (as in /usr/lib/udev/rules.d/70-stepperd.rules) or let the daemon's user join its group"
    guard let status = stat(at: node) else { return "permission denied: \(node); \(remedy)" }
    let mode = (status.st_mode & 0o7777).digits(4, radix: 8)
    // A sandbox refuses with EPERM, which the mode of the file does not affect.
    guard error == .permissionDenied else {
      return
        "the service may not open \(node) (\(error)), although its mode is \(mode); see DeviceAllow= of the service"
    }
    let owner =
      "\(AccountFile.users.name(of: status.st_uid)):\(AccountFile.groups.name(of: status.st_gid))"
    return "permission denied: \(node) belongs to \(owner) (\(mode)); \(remedy)"
  }
}

extension DeviceProblem {
  /// The problem for an `error` in the use of the light or vibrator `directory`, `/sys/class/leds/NAME`.
  package init(classDirectory directory: String, error: Errno) {
    switch error {
    case .noSuchFileOrDirectory, .notDirectory:
      self.init(
        state: .absent, message: "\(directory) does not exist; 'ls /sys/class/leds' lists the available ones")
    case .permissionDenied, .notPermitted:
      let remedy =
        "let a udev rule give it to the daemon's group (as in /usr/lib/udev/rules.d/70-stepperd.rules)"
      self.init(state: .denied, message: "permission denied: \(directory)/brightness; \(remedy)")
    case .readOnlyFileSystem:
      let remedy = "add the drop-in /usr/share/doc/stepperd/examples/leds.conf"
      self.init(state: .denied, message: "\(directory) is read-only in the service's sandbox; \(remedy)")
    default: self.init(state: .absent, message: "\(directory) cannot be used: \(error)")
    }
  }
}
