/// The service of the system: its units, accounts, socket and permissions.
extension Diagnosis {
  @Sections static func service() -> [Section] {
    Section {
      Section("service", { $0.isSystem ? [$0.service, $0.socketUnit].filter { unit in unit.isMasked } : [] })
      {
        Row(
          "unit.masked", .wrong, seen: { unit, _ in "\(unit.name) is masked" },
          because: "systemd does not start it, neither at boot nor by a command.",
          remedies: { unit, _ in
            [.root("systemctl unmask \(unit.name)"), .root("systemctl enable \(unit.name)")]
              + .startUnits
          })
      }

      Section("service", { $0.isSystem ? [$0.service] : [] }) {
        Row(
          "unit.unknown", .note, when: { service, _ in service["LoadState"] == nil },
          seen: { _, _ in "systemd does not answer: the state of stepperd.service is unknown" },
          because: "Its sandbox, user and start at boot are not examined.")
        Row(
          "unit.missing", .note, when: { service, _ in !service.isInstalled && !service.isMasked },
          seen: { _, _ in "stepperd.service is not installed" },
          because: "Without it the daemon runs only while a user has started it.",
          remedies: { _, _ in
            [.advice("install the package, or run 'sudo make install' in the source directory")]
          })
        Row(
          "unit.changed", .wrong,
          when: { service, facts in service.needsReload || facts.socketUnit.needsReload },
          seen: { _, _ in "a unit file or a drop-in has changed since systemd read it" },
          because: "The service runs with the former settings.", remedies: { _, _ in .reloadUnits })
      }

      Section("service", { $0.isSystem && $0.service.isInstalled ? [$0.service] : [] }) {
        Row(
          "unit.disabled", .wrong, when: { service, _ in !service.isEnabled },
          seen: { _, _ in "stepperd.service is not enabled" },
          because: "It is not started at the next boot.",
          remedies: { _, _ in [.root("systemctl enable stepperd.socket stepperd.service")] })
      }
    } otherwise: {
      Section("service", { $0.isSystem ? [$0.service] : [] }) {
        Row(
          "unit.installed", .ok,
          seen: { service, _ in
            let dropIns = service.words("DropInPaths")
            let end = dropIns.isEmpty ? "" : ", with \(dropIns.joined(separator: ", "))"
            return "\(service.file ?? "") is enabled\(end)"
          })
      }
    }

    Section("accounts", { $0.isSystem && $0.service.isInstalled ? [$0.missingAccounts] : [] }) {
      Row(
        "account.missing", .wrong, when: { missing, _ in !missing.isEmpty },
        seen: { missing, _ in "/etc/passwd and /etc/group do not have: \(missing.joined(separator: ", "))"
        },
        because: "systemd cannot start the units, and udev cannot give devices to the group.",
        remedies: { _, _ in
          [.root("systemd-sysusers")] + [RemedyStep].applyRules.dropLast()
            + [.root("systemctl restart stepperd.socket stepperd.service")]
        })
    }

    Section(
      "socket", { $0.daemons.filter { $0.answer == .stale && $0.address != DaemonFacts.systemAddress } }
    ) {
      Row(
        "socket.stale", .warning, seen: { daemon, _ in "no program listens at \(daemon.address)" },
        because:
          "It is left over from a daemon that was killed; a client tries it before the system's socket.",
        remedies: { daemon, _ in [.command("rm -f \(Shell.quoted(daemon.address))")] })
    }

    Section("socket", socketUnit) {
      Row(
        "socket.removed", .wrong,
        when: { unit, facts in
          facts.hasServiceManager && unit["ActiveState"] == "active"
            && facts.systemDaemon?.answer == .noSocket
        }, seen: { _, _ in "\(DaemonFacts.systemAddress) was removed while the service uses it" },
        because:
          "No client can connect, and a socket unit cannot be restarted while its service is active.",
        remedies: { _, _ in .remakeSocket })
      Row(
        "socket.stale", .wrong, when: { _, facts in facts.systemDaemon?.answer == .stale },
        seen: { _, _ in "no program listens at \(DaemonFacts.systemAddress)" },
        because: "It is left over from a socket unit or a daemon that has ended.",
        remedies: { _, _ in .remakeSocket })
      Row(
        "socket.inactive", .warning,
        when: { unit, facts in facts.service.isActive && !unit.isActive && unit["ActiveState"] != nil },
        seen: { _, _ in "stepperd.socket is not active" },
        because: "Clients that connect during a restart of the service are refused and do not start it.",
        remedies: { _, _ in .remakeSocket })
    }

    Section("socket", socketUnit) {
      Row(
        "socket.mode", .wrong,
        seen: { unit, facts in
          guard let status = facts.socket.status, status.kind == .socket else { return nil }
          let mode = unit["SocketMode"].flatMap { UInt32($0, radix: 8) } ?? 0o666
          let group = unit["SocketGroup"].flatMap { facts.accounts.group(named: $0) }
          guard status.mode & 0o777 != mode || (group.map { $0.number != status.group } ?? false) else {
            return nil
          }
          return
            "\(facts.socket.path) has the mode \(status.octalMode) and the group \(facts.accounts.groupName(status.group)), other than its unit (0\(String(mode, radix: 8)), \(unit["SocketGroup"] ?? "root"))"
        }, because: "The unit was changed since it was started, or the file was.",
        remedies: { _, _ in [.root("systemctl daemon-reload")] + .remakeSocket })
    }

    permissions
  }

  private static func socketUnit(_ facts: Facts) -> [UnitFacts] {
    facts.isSystem && facts.socketUnit.isInstalled && !facts.socketUnit.isMasked ? [facts.socketUnit] : []
  }

  /// Whether the caller may connect to the socket of the system.
  private static var permissions: Section {
    Section("permissions", \.systemSocket) {
      Row(
        "permission.directory", .wrong,
        seen: { socket, facts in
          guard let directory = facts.socket.directory,
            !directory.permits(.execute, to: facts.caller.identity)
          else { return nil }
          return "the directory of \(socket.path) is closed to this user (\(directory.octalMode))"
        }, because: "The socket cannot be reached.",
        remedies: { socket, _ in [.root("chmod 0755 \(Shell.quoted(SystemRoot.parent(of: socket.path)))")] }
      )
      Row(
        "permission.granted", .ok,
        when: { socket, facts in socket.status.permits([.read, .write], to: facts.caller.identity) },
        seen: { socket, facts in
          "\(facts.callerName) may connect to \(socket.path) (\(socket.group), \(socket.status.octalMode))"
        })
      Row(
        "permission.mode", .wrong, when: { socket, _ in socket.status.mode & 0o060 != 0o060 },
        seen: { socket, _ in
          "the mode of \(socket.path) is \(socket.status.octalMode), which excludes its group \(socket.group)"
        }, because: "Only root can connect.", remedies: { _, _ in .remakeSocket })
      Row(
        "permission.session", .wrong,
        when: { socket, facts in
          facts.accounts.group(socket.status.group)?.members.contains(facts.callerName) ?? false
        },
        seen: { socket, facts in
          "\(facts.callerName) is a member of the group \(socket.group), but this session began before that"
        }, because: "A process has the groups of its login.",
        remedies: { socket, _ in
          [
            .advice("log out and in again, or for this terminal:"),
            .command("newgrp \(Shell.quoted(socket.group))"),
          ]
        })
      Row(
        "permission.denied", .wrong,
        seen: { socket, facts in
          "\(facts.callerName) may not connect to \(socket.path), which is for root and the group \(socket.group)"
        }, because: "Every command of stepperctl is refused.",
        remedies: { socket, facts in
          [
            .root(
              "usermod --append --groups \(Shell.quoted(socket.group)) \(Shell.quoted(facts.callerName))"),
            .advice("then log out and in again, or for this terminal:"),
            .command("newgrp \(Shell.quoted(socket.group))"),
          ]
        })
    }
  }
}

extension Facts {
  /// The accounts that the units name and the system does not have: `user stepperd`.
  fileprivate var missingAccounts: [String] {
    let users = [service["User"]].compactMap(\.self).filter { accounts.user(named: $0) == nil }
    let groups = Set([service["Group"], socketUnit["SocketGroup"]].compactMap(\.self))
      .filter { accounts.group(named: $0) == nil }
    return users.map { "user \($0)" } + groups.sorted().map { "group \($0)" }
  }
}

/// The socket of the system.
private struct SystemSocket {
  var path: String
  var status: FileStatus
  /// The name of its group.
  var group: String
}

extension Facts {
  /// Empty: it does not exist, or the daemon of a user is looked at.
  fileprivate var systemSocket: [SystemSocket] {
    guard isSystem, let status = socket.status, status.kind == .socket else { return [] }
    return [SystemSocket(path: socket.path, status: status, group: accounts.groupName(status.group))]
  }
}
