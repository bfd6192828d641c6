package import SystemPackage

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
