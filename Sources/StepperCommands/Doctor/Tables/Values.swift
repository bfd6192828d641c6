internal import StepperConfiguration
internal import StepperLinux
internal import StepperText

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

  /// Whether no configuration names the directory.
  private var isUsual: Bool { configuration.configuration?.daemon.stateDirectory == nil }

  /// Whether the directory, which belongs to another user, may be given to the daemon's user: it is the default one of
  /// the service, or contains only files of the daemon. The directory of a user's daemon may really be another user's,
  /// for example if the environment comes from sudo -E.
  private func isOwn(_ state: StateFacts, _ status: FileStatus) -> Bool {
    guard isSystem || [0, caller.identity.user].contains(status.owner) else { return false }
    return isUsual || state.files?.allSatisfy { $0 == "lock" || $0.hasPrefix("values.") } ?? false
  }

  private func naming(_ user: String) -> Remedy {
    guard isSystem else {
      return .advice("HOME, XDG_STATE_HOME and state-directory must lead to a directory of \(user)")
    }
    return .advice(
      "name a directory in state-directory that \(user) owns and that has nothing else, as one made with 'install -d -o \(user) -m 0750 DIRECTORY', or remove state-directory"
    )
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
          because: lost,
          fix: isUsual
            ? [asRoot("mv \(word) \(word).aside")] + restarting : [naming(user?.name ?? callerName)])
        Finding(
          "state.denied", .wrong, when: isDenied,
          seen: user.map { "\(directory) belongs to \(owner), and \($0.name) may not write to it" },
          because: lost,
          fix: user.map { user in
            guard isOwn(state, status) else { return [naming(user.name)] }
            let owner = "\(user.name):\(user.group)"
            return [asRoot("chown -R \(owner) \(word)"), asRoot("chmod 0750 \(word)")] + restarting
          } ?? [])
      }
      first("values") {
        Finding(
          "state.read-only", .wrong, when: state.isReadOnly,
          seen: "the file system of \(directory) is read-only", because: lost,
          fix: [asRoot("mount -o remount,rw \"$(findmnt -n -o TARGET --target \(word))\"")])
        // Room for two generations of the largest file that the daemon reads.
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
