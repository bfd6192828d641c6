internal import StepperConfiguration
internal import StepperInterfaces

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
    // The socket refuses the caller: the rows of permissions have the remedy.
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
      // The findings of the configuration correct it and start the service then.
      fix: exitStatus == "78" && configuration.problems.contains { $0.severity == .error }
        ? [] : showJournal + [asRoot("systemctl reset-failed stepperd.service stepperd.socket")] + startUnits
    )
    // The rows of the socket have the remedy.
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
    // The rows of the units unmask and start them.
    if service.isMasked || socketUnit.isMasked { return [] }
    guard service.isInstalled else { return [.command("stepperd")] }
    return service.isStarting ? showJournal : startUnits
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
          seen: "events were lost \(device.overruns) times in \(device.events) events",
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
        seen: "it woke up more than 250 ms late \(status.stalls) times",
        because: "The machine slept, was stopped, or was too busy.", fix: isSystem ? [advice] : [])
      if let median = status.latencyMedianMicroseconds {
        Finding(
          "events.slow", .warning, about: "daemon", when: median > 20_000,
          seen: "half of the changes take longer than \(median / 1000) ms from the input to the reply",
          because: "The machine is too busy.", fix: isSystem ? [advice] : [])
      }
    } otherwise: {
      Finding(
        "events.complete", .ok, about: "events", seen: "\(status.eventsRead) events read, none lost")
    }
  }

  /// How the daemon begins to report a file with errors.
  private static let brokenFiles = [
    "the configuration on the disk cannot be used", "the included file cannot be used",
  ]

  /// The problems that the daemon itself reports, except those that a row has found with its remedy.
  func problems(besides findings: [Finding]) -> [Finding] {
    let wrong = findings.filter { $0.verdict == .wrong }
    let known = wrong.flatMap { finding in
      ["device ", "hook "].filter(finding.subject.hasPrefix).map {
        "\(finding.subject.dropFirst($0.count)): "
      }
    }
    let isBroken = wrong.contains { $0.name == "configuration.error" }
    let problems = (daemon?.status?.problems ?? []).prefix(50).filter { problem in
      !Self.isOutdated(problem) && !known.contains(where: problem.hasPrefix)
        && !(isBroken && Self.brokenFiles.contains(where: problem.hasPrefix))
    }
    return problems.compactMap { problem in
      // The daemon reports a failure of a hook until the next run of it succeeds.
      let isHook = hooks.contains { problem.hasPrefix("\($0.control) \($0.key): ") }
      // An account that does not exist: nobody has its rights.
      let isMissing = problem.hasPrefix("daemon.")
      return Finding(
        "daemon.problem", isHook || isMissing ? .warning : .wrong, about: "daemon",
        seen: "it reports: \(problem)",
        because: "The problem is listed in 'stepperctl status'.",
        fix: isSystem ? showJournal : [.command("stepperctl status")])
    }
  }
}
