internal import StepperLinux
internal import StepperText

/// The system service: its units, accounts, socket and permissions.
extension Facts {
  @FindingList var aboutService: [Finding] {
    if isSystem { aboutUnits }
    if isSystem, service.isInstalled {
      Finding(
        "account.missing", .wrong, about: "accounts", when: !missingAccounts.isEmpty,
        seen: "/etc/passwd and /etc/group do not have: \(missingAccounts.joined(separator: ", "))",
        because: "systemd cannot start the units, and udev cannot give devices to the group.",
        fix: [asRoot("systemd-sysusers")] + applyRules.dropLast()
          + [asRoot("systemctl restart stepperd.socket stepperd.service")])
    }
    for unit in [String: UnitFacts].programs.compactMap({ units[$0] }) where unit.isFailed {
      Finding(
        "unit.failed", .warning, about: "programs",
        seen:
          "\(unit.name) has failed with the exit status \(unit["ExecMainStatus"] ?? "?") (\(unit["Result"] ?? "?"))",
        because: "systemd does not start it again by itself; the journal has the reason.",
        fix: journal(of: unit.name) + [asRoot("systemctl restart \(unit.name)")])
    }
    for daemon in daemons where daemon.answer == .stale && daemon.address != DaemonFacts.systemAddress {
      Finding(
        "socket.stale", .warning, about: "socket", seen: "no program listens at \(daemon.address)",
        because:
          "It is left over from a daemon that was killed; a client tries it before the system's socket.",
        fix: [.command("rm -f \(Shell.quoted(daemon.address))")])
    }
    if isSystem, socketUnit.isInstalled { aboutSocket }
    if isSystem || isForbidden { first("permissions") { permission } }
  }

  private var aboutUnits: [Finding] {
    all {
      for unit in [service, socketUnit] where unit.isMasked {
        Finding(
          "unit.masked", .wrong, about: "service", seen: "\(unit.name) is masked",
          because: "systemd does not start it, neither at boot nor by a command.",
          fix: [asRoot("systemctl unmask \(unit.name)"), asRoot("systemctl enable \(unit.name)")]
            + startUnits)
      }
      first("service") {
        Finding(
          "unit.unknown", .note, when: service["LoadState"] == nil,
          seen: "systemd does not answer: the state of stepperd.service is unknown",
          because: "Its sandbox, user and start at boot are not examined.")
        Finding(
          "unit.missing", .note, when: !service.isInstalled && !service.isMasked,
          seen: "stepperd.service is not installed",
          because: "Without it the daemon runs only while a user has started it.",
          fix: [.advice("install the package, or run 'sudo make install' in the source directory")])
        Finding(
          "unit.changed", .wrong, when: service.needsReload || socketUnit.needsReload,
          seen: "a unit file or a drop-in has changed since systemd read it",
          because: "The service runs with the former settings.", fix: reloadUnits)
      }
      Finding(
        "unit.disabled", .wrong, about: "service", when: service.isInstalled && !service.isEnabled,
        seen: "stepperd.service is not enabled", because: "It is not started at the next boot.",
        fix: [asRoot("systemctl enable stepperd.socket stepperd.service")])
    } otherwise: {
      let dropIns = service.words("DropInPaths").joined(separator: ", ")
      Finding(
        "unit.installed", .ok, about: "service",
        seen: "\(service.file ?? "") is enabled\(dropIns.isEmpty ? "" : ", with \(dropIns)")")
    }
  }

  @FindingList private var aboutSocket: [Finding] {
    let answer = daemons.first { $0.address == DaemonFacts.systemAddress }?.answer
    first("socket") {
      Finding(
        "socket.removed", .wrong,
        when: hasServiceManager && socketUnit["ActiveState"] == "active" && answer == .noSocket,
        seen: "\(DaemonFacts.systemAddress) was removed while the service uses it",
        because: "No client can connect, and a socket unit cannot be restarted while its service is active.",
        fix: remakeSocket)
      Finding(
        "socket.stale", .wrong, when: answer == .stale,
        seen: "no program listens at \(DaemonFacts.systemAddress)",
        because: "It is left over from a socket unit or a daemon that has ended.", fix: remakeSocket)
      Finding(
        "socket.inactive", .warning,
        when: service.isActive && !socketUnit.isActive && socketUnit["ActiveState"] != nil,
        seen: "stepperd.socket is not active",
        because: "Clients that connect during a restart of the service are refused and do not start it.",
        fix: remakeSocket)
    }
    Finding(
      "socket.mode", .wrong, about: "socket", seen: socketDifference,
      because: "The unit was changed since it was started, or the file was.",
      fix: [asRoot("systemctl daemon-reload")] + remakeSocket)
  }

  /// How the socket's mode and group differ from those in its unit.
  private var socketDifference: String? {
    guard let status = socket.status, status.kind == .socket else { return nil }
    let mode = socketUnit["SocketMode"].flatMap { UInt32($0, radix: 8) } ?? 0o666
    let group = socketUnit["SocketGroup"].flatMap { accounts.group(named: $0) }
    guard status.mode & 0o777 != mode || (group.map { $0.number != status.group } ?? false) else {
      return nil
    }
    return
      "\(socket.path) has the mode \(status.octalMode) and the group \(accounts.groupName(status.group)), other than its unit (0\(String(mode, radix: 8)), \(socketUnit["SocketGroup"] ?? "root"))"
  }

  /// Whether the examined daemon has refused the caller.
  private var isForbidden: Bool { daemon?.answer == .forbidden && daemon?.address == socket.path }

  /// Whether the caller may connect to the socket.
  @FirstRow private var permission: Finding? {
    Finding(
      "permission.directory", .wrong, when: isSystem,
      seen: socket.directory.flatMap { directory in
        directory.permits(.execute, to: caller.identity)
          ? nil : "the directory of \(socket.path) is closed to this user (\(directory.octalMode))"
      }, because: "The socket cannot be reached.",
      fix: [asRoot("chmod 0755 \(Shell.quoted(SystemRoot.parent(of: socket.path)))")])
    // It is unknown which directory above the socket is closed. The row about XDG_RUNTIME_DIR has its own remedy.
    Finding(
      "permission.directory", .wrong,
      when: isForbidden && socket.status == nil && closedRuntimeDirectory == nil,
      seen: "the directory of \(socket.path) is closed to this user",
      because: "The socket cannot be reached.",
      fix: [
        caller.isNamedByEnvironment
          ? .command("unset STEPPERD_ADDRESS")
          : .advice("run the command as the user whose daemon it is, or name another daemon")
      ])
    socket.status.flatMap { status in
      status.kind == .socket ? permission(status, group: accounts.groupName(status.group)) : nil
    }
  }

  @FirstRow private func permission(_ status: FileStatus, group: String) -> Finding? {
    Finding(
      "permission.granted", .ok, when: status.permits([.read, .write], to: caller.identity),
      seen: "\(callerName) may connect to \(socket.path) (\(group), \(status.octalMode))")
    Finding(
      "permission.owner", .wrong, when: !isSystem && status.mode & 0o060 != 0o060,
      seen:
        "\(socket.path) belongs to \(accounts.userName(status.owner)):\(group) (\(status.octalMode)), and \(callerName) may not connect to it",
      because: "A user's daemon serves that user alone.",
      fix: [
        .command(
          "sudo --user=\(Shell.quoted(accounts.userName(status.owner))) stepperctl doctor --address \(Shell.quoted(socket.path))"
        )
      ])
    Finding(
      "permission.mode", .wrong, when: status.mode & 0o060 != 0o060,
      seen: "the mode of \(socket.path) is \(status.octalMode), which excludes its group \(group)",
      because: "Only root can connect.", fix: remakeSocket)
    Finding(
      "permission.session", .wrong,
      when: accounts.group(status.group)?.members.contains(callerName) ?? false,
      seen: "\(callerName) is a member of the group \(group), but this session began before that",
      because: "A process has the groups of its login.",
      fix: [
        .advice("log out and in again, or for this terminal:"), .command("newgrp \(Shell.quoted(group))"),
      ])
    Finding(
      "permission.denied", .wrong,
      seen: "\(callerName) may not connect to \(socket.path), which is for root and the group \(group)",
      because: "Every command of stepperctl is refused.",
      fix: [
        asRoot("usermod --append --groups \(Shell.quoted(group)) \(Shell.quoted(callerName))"),
        .advice("then log out and in again, or for this terminal:"),
        .command("newgrp \(Shell.quoted(group))"),
      ])
  }

  /// The accounts that the units name and the system does not have: `user stepperd`.
  private var missingAccounts: [String] {
    let users = [service["User"]].compactMap(\.self).filter { accounts.user(named: $0) == nil }
    let groups = Set([service["Group"], socketUnit["SocketGroup"]].compactMap(\.self))
      .filter { accounts.group(named: $0) == nil }
    return users.map { "user \($0)" } + groups.sorted().map { "group \($0)" }
  }
}
