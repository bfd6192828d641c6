internal import StepperLinux

/// Whether values can be saved.
extension Facts {
  @FindingList var aboutValues: [Finding] {
    if let state {
      if let status = state.status { saving(in: state, status) }
      // A daemon that has not run yet has not created it.
      Finding(
        "state.missing", .warning, about: "values",
        when: state.status == nil && daemon?.status != nil && configurationIsOwn,
        seen: "\(state.directory) does not exist",
        because: "It is created with the next save, or with the next start of the service.", fix: restarting)
    }
  }

  private func saving(in state: StateFacts, _ status: FileStatus) -> [Finding] {
    let lost = "Values are not kept over a restart."
    let makeRoom = Remedy.advice("remove files from that file system; the save is retried")
    let (directory, word) = (state.directory, Shell.quoted(state.directory))
    let user = daemonUser.map { (name: $0.name, group: accounts.groupName($0.group)) }
    let isDenied = daemonIdentity.map { !status.permits(.all, to: $0) } ?? false
    let owner = "\(accounts.userName(status.owner)):\(accounts.groupName(status.group)) (\(status.octalMode))"
    let aside = (state.files ?? []).filter {
      $0.hasPrefix("values.json.") || $0.hasPrefix("values.previous.json.")
    }
    return all {
      first("values") {
        Finding(
          "state.kind", .wrong, when: status.kind != .directory, seen: "\(directory) is not a directory",
          because: lost, fix: [asRoot("mv \(word) \(word).aside")] + restarting)
        Finding(
          "state.denied", .wrong, when: isDenied,
          seen: user.map { "\(directory) belongs to \(owner), and \($0.name) may not write to it" },
          because: lost,
          fix: user.map {
            [asRoot("chown -R \($0.name):\($0.group) \(word)"), asRoot("chmod 0750 \(word)")] + restarting
          }
            ?? [])
      }
      first("values") {
        Finding(
          "state.read-only", .wrong, when: state.isReadOnly,
          seen: "the file system of \(directory) is read-only", because: lost,
          fix: [asRoot("mount -o remount,rw \"$(findmnt -n -o TARGET --target \(word))\"")])
        // Two generations of the largest file that is read.
        Finding(
          "state.full", .wrong, when: (state.freeBytes ?? .max) < 2 << 20,
          seen: "\((state.freeBytes ?? 0) / 1024) KiB are free for \(directory)", because: lost,
          fix: [.command("df -h \(word)"), makeRoom])
        Finding(
          "state.inodes", .wrong, when: (state.freeFiles ?? .max) < 8,
          seen: "the file system of \(directory) has \(state.freeFiles ?? 0) inodes left", because: lost,
          fix: [.command("df -i \(word)"), makeRoom])
        Finding(
          "state.volatile", .warning, when: state.isInMemory,
          seen: "\(directory) is in memory",
          because: "Values are kept over a restart of the service, and lost when the machine stops.",
          fix: [
            .advice(
              "mount a partition at \(directory), or begin with the initial values of the configuration")
          ])
      }
      Finding(
        "state.aside", .note, about: "values", when: !aside.isEmpty,
        seen:
          "files of values were damaged or unknown and were set aside in \(directory): \(aside.prefix(5).joined(separator: ", "))",
        because: "The values in use are those of the other generation, or the initial ones.")
    } otherwise: {
      Finding(
        "state.writable", .ok, about: "values", seen: "\(directory) can be written")
    }
  }
}
