internal import StepperCore
internal import StepperInterfaces
internal import StepperText

/// Device nodes, the udev rules that give them to the daemon, and other programs that read them.
///
/// No grab is attempted, because a successful grab would take the device from its readers for a moment. The daemon's
/// state `busy` shows that another program has a grab; the descriptors of processes show which programs may have it.
extension Facts {
  @FindingList var aboutDevices: [Finding] {
    for use in assignment.used {
      // The kernel creates the nodes; udev does not.
      Finding(
        "device.no-node", .wrong, about: use.subject, when: use.input.node == nil,
        seen: "\(use.input.identity.node) does not exist, though the kernel has the device",
        because: "The daemon cannot read it.",
        fix: [
          asRoot(
            "mknod \(use.input.identity.node) c $(tr : ' ' </sys/class/input/\(use.input.systemName)/dev)")
        ] + applyingRules(to: use.input))
    }
    for use in assignment.used { first(use.subject) { access(to: use.input) } }
    if isSystem, service.isInstalled { first("udev") { rules } }
    for use in assignment.used { first(use.subject) { otherReaders(of: use) } }
  }

  /// Nil without a node, or if the daemon's user is unknown.
  private func access(to input: InputFacts) -> Finding? {
    guard let node = input.node, let user = daemonUser, let identity = daemonIdentity else { return nil }
    return access(
      to: input, node, of: user, isPermitted: node.permits([.read, .write], to: identity))
  }

  @FirstRow private func access(
    to input: InputFacts, _ node: FileStatus, of user: Accounts.User, isPermitted: Bool
  ) -> Finding? {
    let (name, owner) = (input.identity.node, owner(of: node))
    Finding(
      "device.denied", .wrong, when: !isPermitted,
      seen: "\(user.name) may not open \(input.title), which belongs to \(owner)",
      because: cause(input), fix: giving(input, node))
    Finding(
      "device.unlisted", .note, when: !isGiven(input) && user.number != 0,
      seen: "\(name) is readable (\(owner)), and udev does not give it to stepperd",
      because: "The desktop receives its events as well.",
      fix: input.identity.isGeneralPurpose ? [] : listing(input))
    Finding(
      "device.desktop", .warning,
      when: isSystem && isGiven(input) && input.identity.properties["LIBINPUT_IGNORE_DEVICE"] != "1",
      seen: "udev does not hide \(input.title) from the desktop",
      because: "Without LIBINPUT_IGNORE_DEVICE=1 each movement also reaches the desktop.",
      fix: applyingRules(to: input))
    Finding("device.permitted", .ok, seen: "\(user.name) may read and write \(name): \(owner)")
  }

  @FirstRow private var rules: Finding? {
    Finding(
      "udev.masked", .wrong, seen: udev.mask.map { "\($0) hides the rules of stepperd" },
      because: "udev reads one file of a name only, and this one gives no device to stepperd.",
      fix: [asRoot("rm \(Shell.quoted(udev.mask ?? ""))")] + applyRules)
    Finding(
      "udev.missing", .wrong, when: udev.rules == nil,
      seen: "70-stepperd.rules is not installed where udev looks",
      because: "The service may open no device.", fix: installingRules)
    Finding(
      "udev.stopped", .wrong, when: !udev.isRunning, seen: "udev is not running",
      because: "Devices are not given to stepperd, and new ones are not reported.",
      fix: [asRoot("systemctl start systemd-udevd.service")] + applyRules)
    Finding(
      "udev.database", .wrong, when: udev.database == nil || !udev.databaseHasEntries,
      seen: udev.database.map { "\($0) has no entries of stepperd" }
        ?? "the hardware database is not compiled",
      because: "udev does not know which devices are for stepperd.",
      fix: compileHardwareDatabase + applyRules)
    // On a board without a hardware clock, the times of files may be in the wrong order.
    Finding(
      "udev.database", .warning, when: udev.compiled < udev.changed,
      seen: "\(udev.database ?? "") is older than the files that it is compiled of",
      because: "udev does not know which devices are for stepperd.",
      fix: compileHardwareDatabase + applyRules)
    Finding("udev.installed", .ok, seen: "\(udev.rules ?? ""), and \(udev.database ?? "") with its entries")
  }

  @FirstRow private func otherReaders(of use: Assignment.Use) -> Finding? {
    let all = use.input.otherReaders
    let others = Array(all.prefix(5))
    let more = all.count > others.count ? " and \(all.count - others.count) more" : ""
    let names = others.map { "\($0.name) (process \($0.number))" }.joined(separator: ", ") + more
    let unknown = processes.seesAll ? "a program that has ended since" : "a program that only root can see"
    Finding(
      "device.busy", .wrong,
      when: daemon?.devices.first { $0.node == use.input.identity.node }?.state == .busy,
      seen: "\(use.input.title) is grabbed by \(others.isEmpty ? unknown : names)",
      because: "The daemon receives no events of it.",
      fix: others.isEmpty && !processes.seesAll
        ? [.command("sudo stepperctl doctor")] : stopping(others))
    Finding(
      "device.shared", .warning, when: !others.isEmpty,
      seen: "\(use.input.title) is also read by \(names)",
      because: "Each movement has two effects, unless [device.\(use.table)] has grab = true.",
      fix: stopping(others))
  }

  // MARK: Nodes

  private func cause(_ input: InputFacts) -> String {
    guard isSystem else { return "The daemon of a user has the permissions of that user." }
    if udev.rules == nil { return "The udev rules of stepperd are not in force." }
    if isGiven(input) {
      return "udev has marked it for stepperd; the node was changed later, or by another rule."
    }
    if let entry = udev.entry(for: input) {
      return entry.isGiven
        ? "\(entry.file) lists it, but udev has not applied the entry."
        : "\(entry.file) excludes it with STEPPERD_DEVICE=0."
    }
    return input.identity.isGeneralPurpose
      ? "It is a keyboard, a mouse or a similar device, which udev never gives to stepperd automatically."
      : "No entry of the hardware database lists it."
  }

  private func giving(_ input: InputFacts, _ node: FileStatus) -> [Remedy] {
    guard isSystem else { return givingToUser(input, node) }
    if isGiven(input) { return applyingRules(to: input) }
    if let entry = udev.entry(for: input), entry.isGiven {
      return compileHardwareDatabase + applyingRules(to: input)
    }
    guard input.identity.isGeneralPurpose else { return listing(input) }
    // Only the administrator can decide whether stepperd may read every keyboard.
    return [
      .advice("to let stepperd read every input device of the machine, keyboards and passwords included:")
    ] + dropIn("input-group", "SupplementaryGroups=input")
  }

  /// Gives a device to a user's daemon: if the udev rules are installed, by the group of the service, to which they
  /// give only knobs.
  private func givingToUser(_ input: InputFacts, _ node: FileStatus) -> [Remedy] {
    let (service, group) = ("stepperd", accounts.groupName(node.group))
    func joining(_ group: String) -> [Remedy] {
      [
        asRoot("usermod --append --groups \(Shell.quoted(group)) \(Shell.quoted(callerName))"),
        .advice("then log out and in again, and start stepperd again"),
      ]
    }
    if group == service { return joining(service) }
    if udev.rules != nil, accounts.group(named: service) != nil, !input.identity.isGeneralPurpose {
      let isListed = isGiven(input) || udev.entry(for: input)?.isGiven ?? false
      return (isListed ? compileHardwareDatabase + applyingRules(to: input) : listing(input))
        + joining(service)
    }
    guard node.mode & 0o060 == 0o060, node.group != 0 else {
      return [.advice("install the package, whose udev rules give knobs to the group stepperd")]
    }
    return [
      .advice(
        "install the package, whose udev rules give knobs to the group stepperd; or, to let every program of \(callerName) read every input device of the machine, keyboards and passwords included:"
      )
    ] + joining(group)
  }

  /// Adds an entry to the hardware database for a device that has none.
  private func listing(_ input: InputFacts) -> [Remedy] {
    let lines = [HardwareEntry.pattern(for: input), " STEPPERD_DEVICE=1", ""]
    return [
      asRoot("mkdir -p /etc/udev/hwdb.d"), append(lines, to: "/etc/udev/hwdb.d/71-stepperd-local.hwdb"),
    ] + compileHardwareDatabase + applyingRules(to: input)
  }

  private var installingRules: [Remedy] {
    // Only Debian's package has this file.
    if root.exists("/usr/share/doc/stepperd/copyright") {
      return [asRoot("apt-get install --reinstall stepperd")] + applyRules
    }
    return [
      .advice("in the source directory of stepperd:"),
      asRoot("install -D -m 644 udev-rules/70-stepperd.rules /usr/lib/udev/rules.d/70-stepperd.rules"),
      asRoot("install -D -m 644 udev-rules/70-stepperd.hwdb /usr/lib/udev/hwdb.d/70-stepperd.hwdb"),
    ] + compileHardwareDatabase + applyRules
  }

  // MARK: Other readers

  /// The remedies without duplicates, because a desktop has several processes.
  private func stopping(_ processes: [ProcessFacts]) -> [Remedy] {
    var remedies: [Remedy] = []
    for remedy in processes.flatMap(stopping) where !remedies.contains(remedy) { remedies.append(remedy) }
    return remedies
  }

  private func stopping(_ process: ProcessFacts) -> [Remedy] {
    if let rival = Rival.all.first(where: { $0.processes.contains(process.name) }) {
      return disabling(rival)
    }
    // The desktop leaves the device alone once it is marked, and must not be ended. A desktop reads many devices,
    // except on a board that has only one.
    let desktops = [
      "Xorg", "gnome-shell", "kwin_wayland", "kwin_x11", "sway", "labwc", "wayfire", "weston", "cage",
      "Hyprland", "niri", "river", "cosmic-comp", "mutter", "phoc", "cinnamon",
    ]
    if desktops.contains(process.name) {
      return [.advice("log out of the desktop and in again after the udev rules mark the device")]
    }
    if process.inputCount > 1 {
      return [
        .advice(
          "\(process.name) reads \(process.inputCount) input devices, as desktops and services of the system do: if it is one, log out and in again after the udev rules mark the device"
        )
      ]
    }
    let kill = "kill \(process.number)"
    return [process.user == caller.identity.user ? .command(kill) : asRoot(kill)]
  }

  /// Disables the installed units of a program, or its first unit if none is installed.
  private func disabling(_ rival: Rival) -> [Remedy] {
    let present = rival.units.filter { units[$0]?.isInstalled ?? false }
    let names = present.isEmpty ? Array(rival.units.prefix(1)) : present
    return [asRoot("systemctl disable --now \(names.joined(separator: " "))")]
  }

  /// Other programs that read input devices: leftovers of former set-ups.
  @FindingList var aboutRivals: [Finding] {
    let codes = assignment.boundCodes
    let readers = Set(assignment.used.flatMap(\.input.openers).map(\.name))
    for rival in rivals {
      let title = rival.rival.title
      let sentence = rival.running.isEmpty ? "\(title) is started at boot" : "\(title) is running"
      first(title) {
        Finding(
          "rival.same-code", .wrong,
          seen: codes.lazy.compactMap { code in
            rival.codes[code].map { "\($0) has a command for \(code), which a control uses" }
          }.first, because: "One press has two effects.", fix: disabling(rival.rival))
        // The rows about shared devices say which devices it reads.
        Finding(
          "rival.present", .wrong, when: !readers.isDisjoint(with: rival.rival.processes), seen: sentence,
          because: "It reads a device that stepperd uses.", fix: disabling(rival.rival))
        Finding(
          "rival.present", .warning, seen: sentence, because: "It may grab or read the same devices.",
          fix: disabling(rival.rival))
      }
    }
  }
}

extension InputFacts {
  /// The readers of the device, except the daemon and programs that open devices for a desktop or to watch for the
  /// power key.
  fileprivate var otherReaders: [ProcessFacts] {
    let own = ["stepperd", "stepperctl", "systemd-logind", "elogind-daemon", "seatd", "acpid"]
    return openers.filter { !own.contains($0.name) }
  }
}
