internal import StepperConfiguration
internal import StepperInterfaces

/// The daemon: whether it runs and answers, and what it says about itself.
extension Diagnosis {
  @Sections static func daemon() -> [Section] {
    Section(
      "daemon",
      { $0.answering.prefix(1).compactMap { daemon in daemon.status.map { (daemon.address, $0) } } }
    ) {
      Row(
        "daemon.running", .ok,
        seen: { daemon, _ in
          let (address, status) = daemon
          return
            "stepperd \(status.version) answers at \(address); controls: \(status.controls), devices: \(status.devices)"
        })
    }

    Section("daemon", { $0.answering.dropFirst().map(\.address) }) {
      Row(
        "daemon.second", .note, seen: { address, _ in "a second daemon answers at \(address)" },
        because: .of { address, _ in
          "stepperctl uses the first one; '--address \(address)' selects the other."
        })
    }

    Section("daemon", { $0.answering.isEmpty ? [$0.service] : [] }) {
      Row(
        "daemon.silent", .wrong,
        seen: { _, facts in
          facts.daemons.first { $0.answer == .silent }.map {
            "the daemon at \($0.address) does not answer in time"
          }
        }, because: "Programs that use it wait.", remedies: { _, facts in facts.restartingDaemon })
      // The socket refuses the caller: the rows of permissions have the remedy.
      Row(
        "daemon.unseen", .note, when: { _, facts in facts.daemons.contains { $0.answer == .forbidden } },
        seen: { _, _ in "its state is unknown, because this user may not connect" })
      Row(
        "daemon.failed", .wrong, when: { service, _ in service.isFailed },
        seen: { service, _ in
          let status = service["ExecMainStatus"] ?? "?"
          let meaning = exitStatuses[status] ?? "the journal has the message"
          return
            "stepperd.service has failed with the exit status \(status) (\(service["Result"] ?? "?")): \(meaning)"
        }, because: "systemd does not start it again by itself after this status.",
        remedies: { service, facts in
          // The findings of the configuration correct it and start the service then.
          let hasErrors = facts.configuration.problems.contains { $0.severity == .error }
          if service["ExecMainStatus"] == "78", hasErrors { return [] }
          return .showJournal + [.root("systemctl reset-failed stepperd.service stepperd.socket")]
            + .startUnits
        })
      // The rows of the socket have the remedy.
      Row(
        "daemon.unreachable", .wrong, when: { service, _ in service.isActive },
        seen: { _, _ in "stepperd.service is active, and no client reaches it" },
        because: "Its socket is missing or belongs to another process.")
      Row(
        "daemon.stopped", .wrong,
        seen: { service, _ in
          service.isStarting
            ? "stepperd.service is starting again and again, and no daemon answers"
            : "no daemon is running"
        }, because: "Without it no control moves.",
        remedies: { service, facts in
          // The rows of the units unmask and start them.
          if service.isMasked || facts.socketUnit.isMasked { return [] }
          guard service.isInstalled else { return [.command("stepperd")] }
          return service.isStarting ? .showJournal : .startUnits
        })
    }

    Section("address", { [$0.caller] }) {
      Row(
        "daemon.address", .wrong,
        seen: { caller, facts in
          guard let named = caller.namedAddress, let other = facts.answering.first,
            facts.daemons.contains(where: { $0.address == named && $0.status == nil })
          else { return nil }
          let source = caller.isNamedByEnvironment ? "STEPPERD_ADDRESS" : "--address"
          return "\(source) names \(named), where no daemon answers; one answers at \(other.address)"
        }, because: "Every command of stepperctl uses the named address alone.",
        remedies: { caller, _ in caller.isNamedByEnvironment ? [.command("unset STEPPERD_ADDRESS")] : [] }
      )
    }

    Section("version", { $0.statuses.map(\.version) }) {
      Row(
        "version.equal", .ok, when: { version, facts in version == facts.caller.version },
        seen: { version, _ in "stepperd and stepperctl are both \(version)" })
      Row(
        "version.different", .wrong,
        seen: { version, facts in "stepperd is \(version), stepperctl is \(facts.caller.version)" },
        because: "After an upgrade the former daemon runs until it is restarted.",
        remedies: { _, facts in facts.restartingDaemon })
    }
  }

  /// What the exit statuses of the service mean: those of stepperd(8), and from 200 on those of systemd.exec(5).
  private static let exitStatuses = [
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
  @Sections static func events() -> [Section] {
    let advice = RemedyStep.advice(
      "if it happens in normal use, the drop-in realtime.conf of the examples gives the daemon priority")

    Section {
      Section({ $0.daemon?.devices ?? [] }, subject: { "device \($0.device)" }) {
        Row(
          "events.lost", .warning, when: { device, _ in device.overruns > 0 },
          seen: { device, _ in
            "the kernel dropped events \(device.overruns) times in \(device.events) events"
          },
          because: "It sends more than is read, or the machine is too busy to read in time.",
          remedies: { _, _ in [.command("top -b -n 1 | head -15")] })
      }

      Section({ $0.daemon?.status?.metrics ?? [] }, subject: { "device \($0.object ?? "")" }) {
        Row(
          "events.storm", .warning,
          when: { metric, _ in metric.name == "eventStorms" && metric.value > 0 },
          seen: { storm, _ in
            let count = Int64(exactly: storm.value.rounded()) ?? .max
            return "it sent more than 4000 frames a second, \(count) times"
          }, because: "A loose contact or a defective device does that; the excess is lost.",
          remedies: { storm, _ in [.command("stepperctl monitor \(Shell.quoted(storm.object ?? ""))")] }
        )
      }

      Section("daemon", \.statuses) {
        Row(
          "events.stalled", .note, when: { status, _ in status.stalls > 0 },
          seen: { status, _ in "it woke up more than 250 ms late \(status.stalls) times" },
          because: "The machine slept, was stopped, or was too busy.",
          remedies: { _, facts in facts.isSystem ? [advice] : [] })
      }

      Section("daemon", { $0.statuses.compactMap(\.latencyMedianMicroseconds) }) {
        Row(
          "events.slow", .warning, when: { median, _ in median > 20_000 },
          seen: { median, _ in
            "half of the changes take longer than \(median / 1000) ms from the input to the reply"
          }, because: "The machine is too busy.",
          remedies: { _, facts in facts.isSystem ? [advice] : [] })
      }
    } otherwise: {
      Section("events", \.statuses) {
        Row("events.complete", .ok, seen: { status, _ in "\(status.eventsRead) events read, none lost" })
      }
    }
  }

  /// The problems that the daemon itself reports, except those that a row has found with its remedy.
  static func problems(besides findings: [Finding]) -> Section {
    let wrong = findings.filter { $0.verdict == .wrong }
    let known = wrong.flatMap { finding in
      ["device ", "hook "].filter(finding.subject.hasPrefix).map {
        "\(finding.subject.dropFirst($0.count)): "
      }
    }
    let isBroken = wrong.contains { $0.name == "configuration.error" }
    // The daemon reports a failure of a hook until the next run of it succeeds.
    func isHook(_ problem: String, _ facts: Facts) -> Bool {
      facts.hooks.contains { problem.hasPrefix("\($0.control) \($0.key): ") }
    }
    func row(_ verdict: Finding.Verdict, when condition: @escaping (String, Facts) -> Bool) -> Row<String> {
      Row(
        "daemon.problem", verdict, when: condition, seen: { problem, _ in "it reports: \(problem)" },
        because: "The problem is listed in 'stepperctl status'.",
        remedies: { _, facts in facts.isSystem ? .showJournal : [.command("stepperctl status")] })
    }
    return Section(
      "daemon",
      { facts in
        (facts.daemon?.status?.problems ?? []).prefix(50).filter { problem in
          !isOutdated(problem) && !known.contains(where: problem.hasPrefix)
            && !(isBroken && problem.hasPrefix("the configuration on the disk cannot be used"))
        }
      }
    ) {
      row(.warning, when: isHook)
      row(.wrong, when: { _, _ in true })
    }
  }
}
