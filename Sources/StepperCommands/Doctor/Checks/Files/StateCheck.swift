/// Whether values can be saved.
enum StateCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard let state = facts.state else { return [] }
    let path = Shell.quoted(state.directory)
    guard let status = state.status else { return missing(state, facts) }
    var findings: [Finding] = []
    func report(_ name: String, _ verdict: Finding.Verdict, _ seen: String, _ remedies: [Remedy]) {
      findings.append(
        Finding(
          name, "values", verdict, seen, because: "Values are not kept over a restart.", remedies: remedies))
    }
    if status.kind != .directory {
      report(
        "state.kind", .wrong, "\(state.directory) is not a directory",
        [facts.shell.asRoot("mv \(path) \(path).aside")] + facts.restarting)
    } else if let identity = facts.daemonIdentity, let user = facts.daemonUser,
      !status.permits(.all, to: identity)
    {
      let group = facts.accounts.groupName(user.group)
      report(
        "state.denied", .wrong,
        "\(state.directory) belongs to \(facts.accounts.userName(status.owner)):\(facts.accounts.groupName(status.group)) (\(status.octalMode)), and \(user.name) may not write to it",
        [
          facts.shell.asRoot("chown -R \(user.name):\(group) \(path)"),
          facts.shell.asRoot("chmod 0750 \(path)"),
        ] + facts.restarting)
    }
    if state.isReadOnly {
      report(
        "state.read-only", .wrong, "the file system of \(state.directory) is read-only",
        [facts.shell.asRoot("mount -o remount,rw \"$(findmnt -n -o TARGET --target \(path))\"")])
    } else if let free = state.freeBytes, free < leastBytes {
      report(
        "state.full", .wrong, "\(free / 1024) KiB are free for \(state.directory)",
        [.command("df -h \(path)"), .advice("remove files from that file system; the save is retried")])
    } else if let free = state.freeFiles, free < 8 {
      report(
        "state.inodes", .wrong, "the file system of \(state.directory) has \(free) inodes left",
        [.command("df -i \(path)"), .advice("remove files from that file system; the save is retried")])
    }
    findings += setAside(state)
    if findings.isEmpty {
      findings.append(Finding("state.writable", "values", .ok, "\(state.directory) can be written"))
    }
    return findings
  }

  /// Two generations of the largest file that is read.
  private static let leastBytes: UInt64 = 2 << 20

  private static func missing(_ state: StateFacts, _ facts: Facts) -> [Finding] {
    // A daemon that has not run yet has not created it.
    guard facts.daemon?.status != nil, facts.caller.isRoot || !facts.isSystem else { return [] }
    return [
      Finding(
        "state.missing", "values", .warning, "\(state.directory) does not exist",
        because: "It is created with the next save, or with the next start of the service.",
        remedies: facts.restarting)
    ]
  }

  private static func setAside(_ state: StateFacts) -> [Finding] {
    let files = (state.files ?? []).filter {
      $0.hasPrefix("values.json.") || $0.hasPrefix("values.previous.json.")
    }
    guard !files.isEmpty else { return [] }
    return [
      Finding(
        "state.aside", "values", .note,
        "files of values were damaged or unknown and were set aside in \(state.directory): \(files.prefix(5).joined(separator: ", "))",
        because: "The values in use are those of the other generation, or the initial ones.")
    ]
  }
}

extension Facts {
  var restarting: [Remedy] {
    isSystem ? [shell.asRoot("systemctl restart stepperd.service")] : []
  }
}
