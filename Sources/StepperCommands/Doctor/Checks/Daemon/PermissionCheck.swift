/// Whether the caller may connect to the socket.
enum PermissionCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard facts.isSystem, let status = facts.socket.status, status.kind == .socket else { return [] }
    if let directory = facts.socket.directory, !directory.permits(.execute, to: facts.caller.identity) {
      return [
        Finding(
          "permission.directory", "permissions", .wrong,
          "the directory of \(facts.socket.path) is closed to this user (\(directory.octalMode))",
          because: "The socket cannot be reached.",
          remedies: [facts.shell.asRoot("chmod 0755 \(Shell.quoted(parent(of: facts.socket.path)))")])
      ]
    }
    let group = facts.accounts.groupName(status.group)
    guard !status.permits([.read, .write], to: facts.caller.identity) else {
      return [
        Finding(
          "permission.granted", "permissions", .ok,
          "\(facts.callerName) may connect to \(facts.socket.path) (\(group), \(status.octalMode))")
      ]
    }
    guard status.mode & 0o060 == 0o060 else {
      return [
        Finding(
          "permission.mode", "permissions", .wrong,
          "the mode of \(facts.socket.path) is \(status.octalMode), which excludes its group \(group)",
          because: "Only root can connect.",
          remedies: [
            facts.shell.asRoot("systemctl stop stepperd.service stepperd.socket"),
            facts.shell.asRoot("systemctl start stepperd.socket stepperd.service"),
          ])
      ]
    }
    if facts.accounts.group(status.group)?.members.contains(facts.callerName) ?? false {
      return [
        Finding(
          "permission.session", "permissions", .wrong,
          "\(facts.callerName) is a member of the group \(group), but this session began before that",
          because: "A process has the groups of its login.",
          remedies: [
            .advice("log out and in again, or for this terminal:"), .command("newgrp \(Shell.quoted(group))"),
          ])
      ]
    }
    return [
      Finding(
        "permission.denied", "permissions", .wrong,
        "\(facts.callerName) may not connect to \(facts.socket.path), which is for root and the group \(group)",
        because: "Every command of stepperctl is refused.",
        remedies: [
          facts.shell.asRoot(
            "usermod --append --groups \(Shell.quoted(group)) \(Shell.quoted(facts.callerName))"),
          .advice("then log out and in again, or for this terminal:"),
          .command("newgrp \(Shell.quoted(group))"),
        ])
    ]
  }

  private static func parent(of path: String) -> String {
    path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }
}
