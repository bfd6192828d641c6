/// Whether the socket is where clients look for it.
enum SocketCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    var findings = facts.daemons.filter { $0.answer == .stale && $0.address != DaemonFacts.systemAddress }.map
    {
      stale($0, facts)
    }
    guard facts.isSystem, facts.socketUnit.file != nil, facts.socketUnit.mask == nil else { return findings }
    let unit = facts.socketUnit
    let system = facts.daemons.first { $0.address == DaemonFacts.systemAddress }
    if facts.hasServiceManager, unit.properties["ActiveState"] == "active", system?.answer == .noSocket {
      findings.append(
        Finding(
          "socket.removed", "socket", .wrong,
          "\(DaemonFacts.systemAddress) was removed while the service uses it",
          because:
            "No client can connect, and a socket unit cannot be restarted while its service is active.",
          remedies: recreate(facts)))
    } else if system?.answer == .stale {
      findings.append(
        Finding(
          "socket.stale", "socket", .wrong, "no program listens at \(DaemonFacts.systemAddress)",
          because: "It is left over from a socket unit or a daemon that has ended.", remedies: recreate(facts)
        ))
    } else if facts.service.isActive, !unit.isActive, unit.properties["ActiveState"] != nil {
      findings.append(
        Finding(
          "socket.inactive", "socket", .warning, "stepperd.socket is not active",
          because: "Clients that connect during a restart of the service are refused and do not start it.",
          remedies: recreate(facts)))
    }
    findings += difference(facts)
    return findings
  }

  private static func stale(_ daemon: DaemonFacts, _ facts: Facts) -> Finding {
    Finding(
      "socket.stale", "socket", .warning, "no program listens at \(daemon.address)",
      because: "It is left over from a daemon that was killed; a client tries it before the system's socket.",
      remedies: [.command("rm -f \(Shell.quoted(daemon.address))")])
  }

  private static func recreate(_ facts: Facts) -> [Remedy] {
    [
      facts.shell.asRoot("systemctl stop stepperd.service stepperd.socket"),
      facts.shell.asRoot("systemctl start stepperd.socket stepperd.service"),
    ]
  }

  /// Whether mode and group of the file are those of the unit.
  private static func difference(_ facts: Facts) -> [Finding] {
    let settings = facts.socketUnit.settings
    guard let status = facts.socket.status, status.kind == .socket else { return [] }
    let mode = settings["Socket.SocketMode"].flatMap { UInt32($0, radix: 8) } ?? 0o666
    let group = settings["Socket.SocketGroup"].flatMap { facts.accounts.group(named: $0) }
    guard status.mode & 0o777 != mode || (group.map { $0.number != status.group } ?? false) else { return [] }
    return [
      Finding(
        "socket.mode", "socket", .wrong,
        "\(facts.socket.path) has the mode \(status.octalMode) and the group \(facts.accounts.groupName(status.group)), other than its unit (0\(String(mode, radix: 8)), \(settings["Socket.SocketGroup"] ?? "root"))",
        because: "The unit was changed since it was started, or the file was.",
        remedies: [facts.shell.asRoot("systemctl daemon-reload")] + recreate(facts))
    ]
  }
}
