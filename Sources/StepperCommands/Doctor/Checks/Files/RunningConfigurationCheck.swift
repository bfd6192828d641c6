internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces

/// Whether the daemon uses the configuration that is on disk.
enum RunningConfigurationCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard let daemon = facts.daemon, let status = daemon.status,
      let configuration = facts.configuration.configuration
    else { return [] }
    if status.configuration == nil, facts.configuration.path != nil {
      return [
        outdated(
          "the daemon uses the built-in configuration, and \(facts.configuration.path ?? "") exists", facts)
      ]
    }
    let configured = Set(configuration.controls.map(\.settings.name))
    let different = configured.symmetricDifference(daemon.controls ?? Array(configured)).sorted()
    guard different.isEmpty else {
      return [
        outdated(
          "the controls of the daemon and of the file differ: \(different.prefix(5).joined(separator: ", "))",
          facts)
      ]
    }
    // The daemon compares them byte by byte, and reports it with this remedy.
    guard let problem = status.problems.first(where: isOutdated) else { return [] }
    return [outdated(String(problem.prefix { $0 != ";" }), facts)]
  }

  static func isOutdated(_ problem: String) -> Bool {
    problem.hasSuffix("'stepperctl reload' puts it in use")
  }

  private static func outdated(_ seen: String, _ facts: Facts) -> Finding {
    Finding(
      "configuration.outdated", "configuration", .wrong, seen,
      because: "The daemon reads the file at its start and at a reload only.", remedies: facts.applying)
  }
}
