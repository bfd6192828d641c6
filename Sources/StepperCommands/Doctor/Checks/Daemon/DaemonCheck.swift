internal import StepperConfiguration
internal import StepperInterfaces

/// Whether a daemon is running and answers.
enum DaemonCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    let answering = facts.daemons.filter { $0.status != nil }
    if let first = answering.first { return running(first, others: answering.dropFirst()) }
    if let silent = facts.daemons.first(where: { $0.answer == .silent }) {
      return [
        Finding(
          "daemon.silent", "daemon", .wrong, "the daemon at \(silent.address) does not answer in time",
          because: "Programs that use it wait.", remedies: [restart(facts)])
      ]
    }
    // The socket refuses the caller: the check of permissions has the remedy.
    if facts.daemons.contains(where: { $0.answer == .forbidden }) {
      return [
        Finding(
          "daemon.unseen", "daemon", .note,
          "its state is unknown, because this user may not connect")
      ]
    }
    if facts.service.isFailed { return [failed(facts)] }
    return [stopped(facts)]
  }

  private static func running(_ daemon: DaemonFacts, others: ArraySlice<DaemonFacts>) -> [Finding] {
    let status = daemon.status
    var findings = [
      Finding(
        "daemon.running", "daemon", .ok,
        "stepperd \(status?.version ?? "") answers at \(daemon.address); controls: \(status?.controls ?? 0), devices: \(status?.devices ?? 0)"
      )
    ]
    for other in others {
      findings.append(
        Finding(
          "daemon.second", "daemon", .note, "a second daemon answers at \(other.address)",
          because: "stepperctl uses the first one; '--address \(other.address)' selects the other."))
    }
    return findings
  }

  private static func stopped(_ facts: Facts) -> Finding {
    if facts.service.isActive {
      // The checks of the socket have the remedy.
      return Finding(
        "daemon.unreachable", "daemon", .wrong, "stepperd.service is active, and no client reaches it",
        because: "Its socket is missing or belongs to another process.")
    }
    let seen =
      facts.service.isStarting
      ? "stepperd.service is starting again and again, and no daemon answers" : "no daemon is running"
    return Finding(
      "daemon.stopped", "daemon", .wrong, seen,
      because: "Without it no control moves.", remedies: start(facts))
  }

  private static func start(_ facts: Facts) -> [Remedy] {
    // The check of the units unmasks and starts them.
    if facts.service.mask != nil || facts.socketUnit.mask != nil { return [] }
    guard facts.service.file != nil else { return [.command("stepperd")] }
    return facts.service.isStarting
      ? [.command("journalctl -u stepperd.service -n 20")]
      : [facts.shell.asRoot("systemctl start stepperd.socket stepperd.service")]
  }

  private static func restart(_ facts: Facts) -> Remedy {
    facts.isSystem
      ? facts.shell.asRoot("systemctl restart stepperd.service")
      : .advice("end the daemon and start stepperd again")
  }

  private static func failed(_ facts: Facts) -> Finding {
    let properties = facts.service.properties
    let status = properties["ExecMainStatus"] ?? "?"
    let meaning =
      switch status {
      case "64": "the command line is invalid: see ExecStart= of the unit and its drop-ins"
      case "69": "another daemon uses the socket or the values, or the path of the socket is not a socket"
      case "71": "a system call failed"
      case "77": "permission denied"
      case "78": "the configuration is invalid"
      // systemd.exec(5)
      case "203": "the program stepperd cannot be executed"
      case "216": "the group of the unit does not exist"
      case "217": "the user of the unit does not exist"
      case "226":
        "the sandbox cannot be set up: a path in ReadWritePaths= or a similar setting does not exist"
      case "238": "the state directory cannot be set up"
      default: "the journal has the message"
      }
    // The findings of the configuration correct it and start the service then.
    let hasErrors = facts.configuration.problems.contains { $0.severity == .error }
    let remedies: [Remedy] =
      status == "78" && hasErrors
      ? []
      : [
        .command("journalctl -u stepperd.service -n 20"),
        facts.shell.asRoot("systemctl reset-failed stepperd.service stepperd.socket"),
        facts.shell.asRoot("systemctl start stepperd.socket stepperd.service"),
      ]
    return Finding(
      "daemon.failed", "daemon", .wrong,
      "stepperd.service has failed with the exit status \(status) (\(properties["Result"] ?? "?")): \(meaning)",
      because: "systemd does not start it again by itself after this status.",
      remedies: remedies)
  }
}
