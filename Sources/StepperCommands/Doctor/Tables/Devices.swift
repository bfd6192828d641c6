internal import StepperCore
internal import StepperInterfaces

/// The nodes of devices and the rules of udev that give them to the daemon, and who else reads them.
///
/// No grab is attempted: one that succeeds takes the device from its readers for a moment. A grab of another program is known
/// from the daemon's state `busy`, and the programs that may hold it from the descriptors of processes.
extension Diagnosis {
  @Sections static func devices() -> [Section] {
    Section({ Assignment($0).used }, subject: \.subject) {
      Row(
        "device.no-node", .wrong, when: { use, _ in use.input.node == nil },
        seen: { use, _ in "\(use.input.identity.node) does not exist, though the kernel has the device" },
        because: "The daemon cannot read it.",
        // The kernel creates nodes, and udev does not.
        remedies: { use, _ in
          let number = "$(tr : ' ' </sys/class/input/\(use.input.systemName)/dev)"
          return [.root("mknod \(use.input.identity.node) c \(number)")] + use.input.applyingRules
        })
    }

    Section(NodeAccess.all, subject: \.subject) {
      Row(
        "device.denied", .wrong, when: { node, _ in !node.isPermitted },
        seen: { node, _ in "\(node.user) may not open \(node.input.title), which belongs to \(node.owner)"
        },
        because: .of(cause), remedies: giveNode)
      Row(
        "device.unlisted", .note, when: { node, _ in !node.isGiven && !node.isRoot },
        seen: { node, _ in
          "\(node.input.identity.node) is readable (\(node.owner)), and udev does not give it to stepperd"
        }, because: "The desktop receives its events as well.",
        remedies: { node, _ in node.input.identity.isGeneralPurpose ? [] : give(node.input) })
      Row(
        "device.desktop", .warning,
        when: { node, facts in
          facts.isSystem && node.isGiven
            && node.input.identity.properties["LIBINPUT_IGNORE_DEVICE"] != "1"
        }, seen: { node, _ in "udev does not hide \(node.input.title) from the desktop" },
        because: "Without LIBINPUT_IGNORE_DEVICE=1 each movement also reaches the desktop.",
        remedies: { node, _ in node.input.applyingRules })
      Row(
        "device.permitted", .ok,
        seen: { node, _ in "\(node.user) may read and write \(node.input.identity.node): \(node.owner)" })
    }

    Section("udev", { $0.isSystem && $0.service.isInstalled ? [$0.udev] : [] }) {
      Row(
        "udev.masked", .wrong, seen: { udev, _ in udev.mask.map { "\($0) hides the rules of stepperd" } },
        because: "udev reads one file of a name only, and this one gives no device to stepperd.",
        remedies: { udev, _ in [.root("rm \(Shell.quoted(udev.mask ?? ""))")] + .applyRules })
      Row(
        "udev.missing", .wrong, when: { udev, _ in udev.rules == nil },
        seen: { _, _ in "70-stepperd.rules is not installed where udev looks" },
        because: "The service may open no device.", remedies: { _, facts in installRules(facts) })
      Row(
        "udev.stopped", .wrong, when: { udev, _ in !udev.isRunning },
        seen: { _, _ in "udev is not running" },
        because: "Devices are not given to stepperd, and new ones are not reported.",
        remedies: { _, _ in [.root("systemctl start systemd-udevd.service")] + .applyRules })
      Row(
        "udev.database", .wrong, when: { udev, _ in udev.database == nil || !udev.databaseHasEntries },
        seen: { udev, _ in
          udev.database.map { "\($0) has no entries of stepperd" }
            ?? "the hardware database is not compiled"
        }, because: "udev does not know which devices are for stepperd.",
        remedies: { _, _ in .compileHardwareDatabase + .applyRules })
      // Times of files of a board without a clock in hardware may be in a wrong order.
      Row(
        "udev.database", .warning, when: { udev, _ in udev.compiled < udev.changed },
        seen: { udev, _ in "\(udev.database ?? "") is older than the files that it is compiled of" },
        because: "udev does not know which devices are for stepperd.",
        remedies: { _, _ in .compileHardwareDatabase + .applyRules })
      Row(
        "udev.installed", .ok,
        seen: { udev, _ in "\(udev.rules ?? ""), and \(udev.database ?? "") with its entries" })
    }

    Section({ Assignment($0).used }, subject: \.subject) {
      Row(
        "device.busy", .wrong,
        when: { use, facts in
          facts.daemon?.devices.first { $0.node == use.input.identity.node }?.state == .busy
        },
        seen: { use, facts in
          let unknown =
            facts.processes.seesAll
            ? "a program that has ended since" : "a program that only root can see"
          let others = use.input.otherReaders
          return "\(use.input.title) is grabbed by \(others.isEmpty ? unknown : list(others))"
        }, because: "The daemon receives no events of it.",
        remedies: { use, facts in
          let others = use.input.otherReaders
          if others.isEmpty { return facts.processes.seesAll ? [] : [.command("sudo stepperctl doctor")] }
          return others.flatMap { stop($0, facts) }
        })
      Row(
        "device.shared", .warning, when: { use, _ in !use.input.otherReaders.isEmpty },
        seen: { use, _ in "\(use.input.title) is also read by \(list(use.input.otherReaders))" },
        because: .of { use, _ in
          "Each movement has two effects, unless [device.\(use.table)] has grab = true."
        }, remedies: { use, facts in use.input.otherReaders.flatMap { stop($0, facts) } })
    }
  }
  // MARK: Nodes

  private static func cause(_ node: NodeAccess, _ facts: Facts) -> String {
    guard facts.isSystem else { return "The daemon of a user has the permissions of that user." }
    if facts.udev.rules == nil { return "The udev rules of stepperd are not in force." }
    if node.isGiven {
      return "udev has marked it for stepperd; the node was changed later, or by another rule."
    }
    if let entry = facts.udev.entry(for: node.input) {
      return entry.isGiven
        ? "\(entry.file) lists it, but udev has not applied the entry."
        : "\(entry.file) excludes it with STEPPERD_DEVICE=0."
    }
    return node.input.identity.isGeneralPurpose
      ? "It is a keyboard, a mouse or the like, which is never given to stepperd automatically."
      : "No entry of the hardware database lists it."
  }

  private static func giveNode(_ node: NodeAccess, _ facts: Facts) -> [RemedyStep] {
    guard facts.isSystem else {
      let group = facts.accounts.groupName(node.status.group)
      guard node.status.mode & 0o060 == 0o060, node.status.group != 0 else {
        return [.advice("install the package, whose udev rules give knobs to the group stepperd")]
      }
      return [
        .root("usermod --append --groups \(Shell.quoted(group)) \(Shell.quoted(facts.callerName))"),
        .advice("then log out and in again, and start stepperd again"),
      ]
    }
    let input = node.input
    if node.isGiven { return input.applyingRules }
    if let entry = facts.udev.entry(for: input), entry.isGiven {
      return .compileHardwareDatabase + input.applyingRules
    }
    guard input.identity.isGeneralPurpose else { return give(input) }
    // The reading of every keyboard is a decision of the administrator.
    return [
      .advice("to let stepperd read every input device of the machine, keyboards and passwords included:")
    ] + .dropIn("input-group", "SupplementaryGroups=input")
  }

  /// An entry of the hardware database for a device that none lists.
  private static func give(_ input: InputFacts) -> [RemedyStep] {
    let lines = [HardwareEntry.pattern(for: input), " STEPPERD_DEVICE=1", ""]
    return [
      .root("mkdir -p /etc/udev/hwdb.d"), .append(lines, to: "/etc/udev/hwdb.d/71-stepperd-local.hwdb"),
    ] + .compileHardwareDatabase + input.applyingRules
  }

  private static func installRules(_ facts: Facts) -> [RemedyStep] {
    // Only Debian's package has this file.
    if facts.root.exists("/usr/share/doc/stepperd/copyright") {
      return [.root("apt-get install --reinstall stepperd")] + .applyRules
    }
    return [
      .advice("in the source directory of stepperd:"),
      .root("install -D -m 644 udev-rules/70-stepperd.rules /usr/lib/udev/rules.d/70-stepperd.rules"),
      .root("install -D -m 644 udev-rules/70-stepperd.hwdb /usr/lib/udev/hwdb.d/70-stepperd.hwdb"),
    ] + .compileHardwareDatabase + .applyRules
  }
  // MARK: Other readers

  private static func list(_ processes: [ProcessFacts]) -> String {
    processes.prefix(5).map { "\($0.name) (process \($0.number))" }.joined(separator: ", ")
  }

  private static func stop(_ process: ProcessFacts, _ facts: Facts) -> [RemedyStep] {
    if let rival = Rival.all.first(where: { $0.processes.contains(process.name) }) {
      return disable(rival, facts)
    }
    // The desktop leaves the device alone after it is marked; it must not be ended.
    let desktops = ["Xorg", "gnome-shell", "kwin_wayland", "sway", "labwc", "wayfire", "weston", "cage"]
    if desktops.contains(process.name) {
      return [.advice("log out of the desktop and in again after the udev rules mark the device")]
    }
    let kill = "kill \(process.number)"
    return [process.user == facts.caller.identity.user ? .command(kill) : .root(kill)]
  }

  /// Disables the units of a program that are there, else its first one.
  private static func disable(_ rival: Rival, _ facts: Facts) -> [RemedyStep] {
    let present = rival.units.filter { facts.units[$0]?.isInstalled ?? false }
    let units = present.isEmpty ? Array(rival.units.prefix(1)) : present
    return [.root("systemctl disable --now \(units.joined(separator: " "))")]
  }

  private static func disable(_ rival: RivalFacts, _ facts: Facts) -> [RemedyStep] {
    disable(rival.rival, facts)
  }

  private static func presence(_ rival: RivalFacts, _: Facts) -> String? {
    rival.running.isEmpty ? "\(rival.rival.title) is started at boot" : "\(rival.rival.title) is running"
  }

  /// Other programs that read input devices: leftovers of former set-ups.
  @Sections static func rivals() -> [Section] {
    Section(\.rivals, subject: \.rival.title) {
      Row(
        "rival.same-code", .wrong,
        seen: { rival, facts in
          let code = Assignment(facts).boundCodes.first { rival.codes[$0] != nil }
          return code.flatMap { code in
            rival.codes[code].map { "\($0) has a command for \(code), which a control uses" }
          }
        }, because: "One press has two effects.", remedies: disable)
      // Which devices it reads is part of the rows of shared devices.
      Row(
        "rival.present", .wrong,
        when: { rival, facts in
          let readers = Set(Assignment(facts).used.flatMap(\.input.openers).map(\.name))
          return !readers.isDisjoint(with: rival.rival.processes)
        }, seen: presence, because: "It reads a device that stepperd uses.", remedies: disable)
      Row(
        "rival.present", .warning, seen: presence, because: "It may grab or read the same devices.",
        remedies: disable)
    }
  }
}

extension InputFacts {
  /// Its readers except the daemon and the login manager, which opens devices to watch for the power key.
  fileprivate var otherReaders: [ProcessFacts] {
    openers.filter { !["stepperd", "systemd-logind", "stepperctl"].contains($0.name) }
  }

  fileprivate var applyingRules: [RemedyStep] {
    .applyRules("--action=change --subsystem-match=input --sysname-match=\(systemName)")
  }
}
