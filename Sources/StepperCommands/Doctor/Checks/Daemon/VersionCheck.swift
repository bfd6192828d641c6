internal import StepperInterfaces

/// Whether the running daemon has the version of this program.
enum VersionCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard let status = facts.daemon?.status else { return [] }
    let own = facts.caller.version
    guard status.version != own else {
      return [Finding("version.equal", "version", .ok, "stepperd and stepperctl are both \(own)")]
    }
    return [
      Finding(
        "version.different", "version", .wrong, "stepperd is \(status.version), stepperctl is \(own)",
        because: "After an upgrade the former daemon runs until it is restarted.",
        remedies: facts.isSystem
          ? [facts.shell.asRoot("systemctl restart stepperd.service")]
          : [.advice("end the daemon and start stepperd again")])
    ]
  }
}
