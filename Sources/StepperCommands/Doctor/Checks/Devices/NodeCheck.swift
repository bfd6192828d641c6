internal import StepperCore
internal import StepperLinux

/// Whether the daemon may open each device that a table takes, and why not.
enum NodeCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    Assignment(facts).used.compactMap { finding($0.table, $0.input, facts) }
  }

  private static func finding(_ table: String, _ input: InputFacts, _ facts: Facts) -> Finding? {
    let subject = "device \(table)"
    guard let node = input.node else {
      return Finding(
        "device.no-node", subject, .wrong,
        "\(input.identity.node) does not exist, though the kernel has the device",
        because: "The daemon cannot read it.",
        // The kernel creates nodes, and udev does not.
        remedies: [
          facts.shell.asRoot(
            "mknod \(input.identity.node) c $(tr : ' ' </sys/class/input/\(input.systemName)/dev)")
        ] + trigger(input, facts))
    }
    guard let identity = facts.daemonIdentity, let user = facts.daemonUser else { return nil }
    let owner =
      "\(facts.accounts.userName(node.owner)):\(facts.accounts.groupName(node.group)) (\(node.octalMode)\(list(node, facts)))"
    guard !node.permits([.read, .write], to: identity) else {
      let isGiven = !facts.isSystem || input.identity.properties["STEPPERD_DEVICE"] == "1"
      guard isGiven || user.number == 0 else { return unlisted(subject, input, owner, facts) }
      if facts.isSystem, isGiven, input.identity.properties["LIBINPUT_IGNORE_DEVICE"] != "1" {
        return Finding(
          "device.desktop", subject, .warning, "udev does not hide \(input.title) from the desktop",
          because: "Without LIBINPUT_IGNORE_DEVICE=1 each movement also reaches the desktop.",
          remedies: trigger(input, facts))
      }
      return Finding(
        "device.permitted", subject, .ok, "\(user.name) may read and write \(input.identity.node): \(owner)")
    }
    return Finding(
      "device.denied", subject, .wrong, "\(user.name) may not open \(input.title), which belongs to \(owner)",
      because: cause(input, facts), remedies: remedies(input, node, facts))
  }

  /// `, also user:alice rw-`.
  private static func list(_ node: FileStatus, _ facts: Facts) -> String {
    let entries = node.entries.compactMap { entry -> String? in
      let permissions =
        (entry.permissions.contains(.read) ? "r" : "-") + (entry.permissions.contains(.write) ? "w" : "-")
      return switch entry.kind {
      case .user(let number): "user \(facts.accounts.userName(number)) \(permissions)"
      case .group(let number): "group \(facts.accounts.groupName(number)) \(permissions)"
      case .owningGroup: nil
      }
    }
    return entries.isEmpty ? "" : ", also \(entries.joined(separator: ", "))"
  }

  private static func unlisted(_ subject: String, _ input: InputFacts, _ owner: String, _ facts: Facts)
    -> Finding
  {
    Finding(
      "device.unlisted", subject, .note,
      "\(input.identity.node) is readable (\(owner)), and udev does not give it to stepperd",
      because: "The desktop receives its events as well.",
      remedies: input.identity.isGeneralPurpose ? [] : give(input, facts))
  }

  private static func cause(_ input: InputFacts, _ facts: Facts) -> String {
    guard facts.isSystem else { return "The daemon of a user has the permissions of that user." }
    if facts.udev.rules == nil { return "The udev rules of stepperd are not in force." }
    if input.identity.properties["STEPPERD_DEVICE"] == "1" {
      return "udev has marked it for stepperd; the node was changed later, or by another rule."
    }
    if let entry = facts.udev.entry(for: input) {
      return entry.isGiven
        ? "\(entry.file) lists it, but udev has not applied the entry."
        : "\(entry.file) excludes it with STEPPERD_DEVICE=0."
    }
    return input.identity.isGeneralPurpose
      ? "It is a keyboard, a mouse or the like, which is never given to stepperd automatically."
      : "No entry of the hardware database lists it."
  }

  private static func remedies(_ input: InputFacts, _ node: FileStatus, _ facts: Facts) -> [Remedy] {
    guard facts.isSystem else { return join(node, facts) }
    let trigger = trigger(input, facts)
    if input.identity.properties["STEPPERD_DEVICE"] == "1" { return trigger }
    if let entry = facts.udev.entry(for: input), entry.isGiven { return compile(facts) + trigger }
    // The reading of every keyboard is a decision of the administrator.
    if input.identity.isGeneralPurpose { return inputGroup(facts) }
    return give(input, facts)
  }

  private static func join(_ node: FileStatus, _ facts: Facts) -> [Remedy] {
    let group = facts.accounts.groupName(node.group)
    guard node.mode & 0o060 == 0o060, node.group != 0 else {
      return [.advice("install the package, whose udev rules give knobs to the group stepperd")]
    }
    return [
      facts.shell.asRoot(
        "usermod --append --groups \(Shell.quoted(group)) \(Shell.quoted(facts.callerName))"),
      .advice("then log out and in again, and start stepperd again"),
    ]
  }

  private static func trigger(_ input: InputFacts, _ facts: Facts) -> [Remedy] {
    [
      facts.shell.asRoot("udevadm control --reload"),
      facts.shell.asRoot(
        "udevadm trigger --action=change --subsystem-match=input --sysname-match=\(input.systemName)"),
      facts.shell.asRoot("udevadm settle"),
    ]
  }

  static func compile(_ facts: Facts) -> [Remedy] { [facts.shell.asRoot("systemd-hwdb update")] }

  /// An entry of the hardware database for a device that none lists.
  private static func give(_ input: InputFacts, _ facts: Facts) -> [Remedy] {
    let file = "/etc/udev/hwdb.d/71-stepperd-local.hwdb"
    return [
      facts.shell.asRoot("mkdir -p /etc/udev/hwdb.d"),
      facts.shell.append([HardwareEntry.pattern(for: input), " STEPPERD_DEVICE=1", ""], to: file),
    ] + compile(facts) + trigger(input, facts)
  }

  private static func inputGroup(_ facts: Facts) -> [Remedy] {
    let directory = "/etc/systemd/system/stepperd.service.d"
    return [
      .advice("to let stepperd read every input device of the machine, keyboards and passwords included:"),
      facts.shell.asRoot("mkdir -p \(directory)"),
      facts.shell.write(["[Service]", "SupplementaryGroups=input"], to: "\(directory)/input-group.conf"),
      facts.shell.asRoot("systemctl daemon-reload"), facts.shell.asRoot("systemctl restart stepperd.service"),
    ]
  }
}

extension HardwareEntry {
  /// A lookup key for one device: name, bus, vendor and product. Other nodes of the same hardware have other names, such as that of
  /// its keyboard.
  static func pattern(for input: InputFacts) -> String {
    let modalias = input.modalias.prefix { $0 != "e" }
    let name = input.identity.name.unicodeScalars.map { scalar in
      switch scalar {
      case "*", "?", "[", "]", "\\": "?"
      case _ where scalar.value > 0x20 && scalar.value < 0x7f: String(scalar)
      case " ": " "
      default: "*"
      }
    }.joined()
    // The rule quotes the name in apostrophes, so a name with one is not looked up.
    guard !name.contains("'"), !name.isEmpty else { return "stepperd:input:\(modalias)e*" }
    return "stepperd:name:\(name):input:\(modalias)e*"
  }
}
