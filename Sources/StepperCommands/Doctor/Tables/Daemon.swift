internal import StepperConfiguration
internal import StepperInterfaces
internal import StepperText

/// The daemon: whether it runs and answers, and the problems that it reports.
extension Facts {
  @FindingList var aboutDaemon: [Finding] {
    if let running = answering.first, let status = running.status {
      Finding(
        "daemon.running", .ok, about: "daemon",
        seen:
          "stepperd \(status.version) answers at \(running.address); controls: \(status.controls), devices: \(status.devices)"
      )
    }
    for other in answering.dropFirst().map(\.address) {
      Finding(
        "daemon.second", .note, about: "daemon", seen: "a second daemon answers at \(other)",
        because: "stepperctl uses the first one; '--address \(other)' selects the other.")
    }
    if answering.isEmpty { first("daemon") { absence } }
    Finding(
      "daemon.address", .wrong, about: "address", seen: wrongAddress,
      because: "Every command of stepperctl uses the named address alone.",
      fix: caller.isNamedByEnvironment ? [.command("unset STEPPERD_ADDRESS")] : [])
    if let version = daemon?.status?.version {
      first("version") {
        Finding(
          "version.equal", .ok, when: version == caller.version,
          seen: "stepperd and stepperctl are both \(version)")
        Finding(
          "version.different", .wrong, seen: "stepperd is \(version), stepperctl is \(caller.version)",
          because: "After an upgrade the former daemon runs until it is restarted.", fix: restartingDaemon)
      }
    }
  }

  /// Why no daemon answers.
  @FirstRow private var absence: Finding? {
    Finding(
      "daemon.silent", .wrong,
      seen: daemons.first { $0.answer == .silent }.map {
        "the daemon at \($0.address) does not answer in time"
      }, because: "Programs that use it wait.", fix: restartingDaemon)
    Finding(
      "permission.directory", .wrong,
      seen: closedRuntimeDirectory.map { "XDG_RUNTIME_DIR is \($0), which is closed to this user" },
      because:
        "It is that of another login, as after su and sudo -E, and stepperctl looks for a daemon there.",
      fix: [.command("unset XDG_RUNTIME_DIR")])
    // The socket refuses the caller. The rows about permissions have the remedy.
    Finding(
      "daemon.unseen", .note, when: daemons.contains { $0.answer == .forbidden },
      seen: "its state is unknown, because this user may not connect")
    Finding(
      "daemon.unusable", .wrong, seen: daemons.lazy.compactMap(\.unusable).first,
      because: "Every command of stepperctl fails as well.", fix: isSystem ? showJournal : [])
    Finding(
      "daemon.failed", .wrong, when: service.isFailed,
      seen:
        "stepperd.service has failed with the exit status \(exitStatus) (\(service["Result"] ?? "?")): \(Self.meanings[exitStatus] ?? "the journal has the message")",
      because: "systemd does not start it again by itself after this status.",
      // The findings about the configuration have the correction, and then start the service.
      fix: exitStatus == "78" && configuration.problems.contains { $0.severity == .error }
        ? [] : showJournal + [asRoot("systemctl reset-failed stepperd.service stepperd.socket")] + startUnits
    )
    // The rows about the socket have the remedy.
    Finding(
      "daemon.unreachable", .wrong, when: service.isActive,
      seen: "stepperd.service is active, and no client reaches it",
      because: "Its socket is missing or belongs to another process.")
    Finding(
      "daemon.stopped", .wrong,
      seen: service.isStarting
        ? "stepperd.service is starting again and again, and no daemon answers" : "no daemon is running",
      because: "Without it no control moves.", fix: starting)
  }

  private var starting: [Remedy] {
    // The rows about the units have the steps that unmask and start them.
    if service.isMasked || socketUnit.isMasked { return [] }
    guard service.isInstalled else { return [.command("stepperd")] }
    return service.isStarting ? showJournal : startUnits
  }

  /// The runtime directory of the caller's login, if the caller may not look into it.
  var closedRuntimeDirectory: String? {
    guard let directory = caller.environment["XDG_RUNTIME_DIR"], !directory.isEmpty,
      daemons.contains(where: { $0.answer == .forbidden && $0.address.hasPrefix("\(directory)/") }),
      !(root.status(directory)?.permits(.execute, to: caller.identity) ?? false)
    else { return nil }
    return directory
  }

  private var wrongAddress: String? {
    guard let named = caller.namedAddress, let other = answering.first,
      daemons.contains(where: { $0.address == named && $0.status == nil })
    else { return nil }
    let source = caller.isNamedByEnvironment ? "STEPPERD_ADDRESS" : "--address"
    return "\(source) names \(named), where no daemon answers; one answers at \(other.address)"
  }

  private var exitStatus: String { service["ExecMainStatus"] ?? "?" }

  /// What the exit statuses of the service mean: those of stepperd(8), and from 200 on those of systemd.exec(5).
  private static let meanings = [
    "64": "the command line is invalid: see ExecStart= of the unit and its drop-ins",
    "69": "another daemon uses the socket or the values, or the path of the socket is not a socket",
    "71": "a system call failed",
    "77": "permission denied",
    "78": "the configuration is invalid",
    "203": "the program stepperd cannot be executed",
    "216": "the group of the unit does not exist",
    "217": "the user of the unit does not exist",
    "226": "the sandbox cannot be set up: a path in ReadWritePaths= or a similar setting does not exist",
    "238": "the state directory cannot be set up",
  ]

  /// Events that were lost or late since the daemon started.
  var aboutEvents: [Finding] {
    guard let daemon, let status = daemon.status else { return [] }
    let advice = Remedy.advice(
      "if it happens in normal use, the drop-in realtime.conf of the examples gives the daemon priority")
    return all {
      for device in daemon.devices where device.overruns > 0 {
        Finding(
          "events.lost", .warning, about: "device \(device.device)",
          seen: "events were lost \(device.overruns.counted("time")) in \(device.events.counted("event"))",
          because: "It sends more than is read, or the machine is too busy to read in time.",
          fix: [.command("top -b -n 1 | head -15")])
      }
      for storm in status.metrics ?? [] where storm.name == "eventStorms" && storm.value > 0 {
        Finding(
          "events.storm", .warning, about: "device \(storm.object ?? "")",
          seen:
            "it sent more than 4000 frames a second, \(Int64(exactly: storm.value.rounded()) ?? .max) times",
          because: "A loose contact or a defective device does that; the excess is lost.",
          fix: [.command("stepperctl monitor \(Shell.quoted(storm.object ?? ""))")])
      }
      Finding(
        "events.stalled", .note, about: "daemon", when: status.stalls > 0,
        seen: "it woke up more than 250 ms late \(status.stalls.counted("time"))",
        because: "The machine slept, was stopped, or was too busy.", fix: isSystem ? [advice] : [])
      if let median = status.latencyMedianMicroseconds {
        Finding(
          "events.slow", .warning, about: "daemon", when: median > 20_000,
          seen: "half of the changes take longer than \(median / 1000) ms from the input to the reply",
          because: "The machine is too busy.", fix: isSystem ? [advice] : [])
      }
    } otherwise: {
      Finding(
        "events.complete", .ok, about: "events", seen: "\(status.eventsRead.counted("event")) read, none lost"
      )
    }
  }

  /// The beginnings of the daemon's reports about a file with errors.
  private static let brokenFiles = [
    "the configuration on the disk cannot be used", "the included file cannot be used",
  ]

  /// The problems that the daemon itself reports, except those for which a row already has a finding with a remedy.
  func problems(besides findings: [Finding]) -> [Finding] {
    let wrong = findings.filter { $0.verdict == .wrong }
    let known = wrong.flatMap { finding in
      ["device ", "hook "].filter(finding.subject.hasPrefix).map {
        "\(finding.subject.dropFirst($0.count)): "
      }
    }
    let isBroken = wrong.contains { ["configuration.error", "configuration.unreadable"].contains($0.name) }
    let problems = (daemon?.status?.problems ?? []).prefix(50).filter { problem in
      !Self.isOutdated(problem) && !known.contains(where: problem.hasPrefix)
        && !(isBroken && Self.brokenFiles.contains(where: problem.hasPrefix))
    }
    return problems.compactMap { problem in
      // The daemon reports the failure of a hook until the hook's next run succeeds.
      let key = problem.split(separator: " ", maxSplits: 2).dropFirst().first ?? ""
      let isHook = key.hasPrefix("on-") || key == "speak:"
      // An account does not exist, so nobody has its rights.
      let isMissing = problem.hasPrefix("daemon.")
      return Finding(
        "daemon.problem", isHook || isMissing ? .warning : .wrong, about: "daemon",
        seen: "it reports: \(problem)",
        // The text of the problem has the remedy, where one is known. 'stepperctl status' prints the same line.
        because: isMissing
          ? "No user has the rights that it grants." : "The daemon has found it while it runs.",
        fix: isSystem && !isMissing ? showJournal : [])
    }
  }
}
