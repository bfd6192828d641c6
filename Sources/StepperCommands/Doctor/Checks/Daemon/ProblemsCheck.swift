internal import StepperInterfaces

/// The problems that the daemon itself reports, except those that a check has found with its remedy.
enum ProblemsCheck {
  static func judge(_ facts: Facts, besides findings: [Finding]) -> [Finding] {
    let wrong = findings.filter { $0.verdict == .wrong }
    let hooks = facts.hooks.map { "\($0.control) \($0.key): " }
    var known = wrong.filter { $0.subject.hasPrefix("device ") }.map {
      "\($0.subject.dropFirst("device ".count)): "
    }
    known += wrong.filter { $0.subject.hasPrefix("hook ") }.map { "\($0.subject.dropFirst("hook ".count)): " }
    let isBroken = wrong.contains { $0.name == "configuration.error" }
    return (facts.daemon?.status?.problems ?? []).prefix(50).filter { problem in
      !RunningConfigurationCheck.isOutdated(problem)
        && !(isBroken && problem.hasPrefix("the configuration on the disk cannot be used"))
        && !known.contains(where: problem.hasPrefix)
    }.map { problem in
      // The daemon reports a failure of a hook until the next run of it succeeds.
      let isHook = hooks.contains(where: problem.hasPrefix)
      return Finding(
        "daemon.problem", "daemon", isHook ? .warning : .wrong, "it reports: \(problem)",
        because: "The problem is listed in 'stepperctl status'.",
        remedies: [.command(facts.isSystem ? "journalctl -u stepperd.service -n 20" : "stepperctl status")])
    }
  }
}
