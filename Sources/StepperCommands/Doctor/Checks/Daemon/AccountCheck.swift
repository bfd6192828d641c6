/// Whether the accounts exist that the units name.
enum AccountCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard facts.isSystem, facts.service.file != nil else { return [] }
    let user = facts.service.settings["Service.User"]
    let groups = [facts.service.settings["Service.Group"], facts.socketUnit.settings["Socket.SocketGroup"]]
    var missing: [String] = []
    if let user, facts.accounts.user(named: user) == nil { missing.append("user \(user)") }
    for group in Set(groups.compactMap(\.self)).sorted() where facts.accounts.group(named: group) == nil {
      missing.append("group \(group)")
    }
    guard !missing.isEmpty else { return [] }
    return [
      Finding(
        "account.missing", "accounts", .wrong,
        "/etc/passwd and /etc/group do not have: \(missing.joined(separator: ", "))",
        because: "systemd cannot start the units, and udev cannot give devices to the group.",
        remedies: [
          facts.shell.asRoot("systemd-sysusers"), facts.shell.asRoot("udevadm control --reload"),
          facts.shell.asRoot("udevadm trigger --subsystem-match=input --subsystem-match=hidraw"),
          facts.shell.asRoot("systemctl restart stepperd.socket stepperd.service"),
        ])
    ]
  }
}
