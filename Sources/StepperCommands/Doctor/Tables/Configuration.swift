internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces
internal import StepperText

/// The configuration on disk, its problems as `stepperctl check` reports them, and whether the daemon uses it.
extension Diagnosis {
  @Sections static func configuration() -> [Section] {
    Section("configuration", { [$0.configuration] }) {
      Row(
        "configuration.unreadable", .wrong, when: { _, facts in facts.configurationIsOwn },
        seen: unreadable, because: "The daemon does not start without it.")
      // A caller who may not read the file learns nothing about the daemon.
      Row(
        "configuration.unreadable", .note, seen: unreadable, because: "Its content is not checked.",
        remedies: { _, _ in [.command("sudo stepperctl doctor")] })
    }

    Section {
      Section("configuration", { Array($0.configuration.shownProblems) }) {
        Row(
          "configuration.error", .wrong, when: { problem, _ in problem.severity == .error },
          seen: { problem, _ in problem.description },
          because: "The daemon does not start with it, and at a reload keeps the former one.",
          remedies: correct)
        Row(
          "configuration.warning", .warning, seen: { problem, _ in problem.description },
          remedies: correct)
      }
    } otherwise: {
      Section("configuration", { [$0.configuration] }) {
        Row(
          "configuration.valid", .ok, when: { file, _ in file.failure == nil },
          seen: { file, _ in
            let controls = file.configuration?.controls.count ?? 0
            let name = file.path ?? "the built-in configuration"
            return "\(name) has no errors and \(controls) control\(controls == 1 ? "" : "s")"
          })
      }
    }

    Section("configuration", \.statuses) {
      Row(
        "configuration.outdated", .wrong, seen: difference,
        because: "The daemon reads the file at its start and at a reload only.",
        remedies: { _, facts in facts.applying })
    }
  }

  private static func unreadable(_ file: ConfigurationFacts, _: Facts) -> String? {
    file.failure.flatMap { failure in file.path.map { "\($0) \(failure)" } }
  }

  private static func correct(_ problem: ConfigurationProblem, _ facts: Facts) -> [RemedyStep] {
    guard let path = facts.configuration.path, let line = problem.line else { return [] }
    let lines = facts.configuration.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let suggestion = problem.suggestion, lines.indices.contains(line - 1),
      let word = misspelt(problem, in: String(lines[line - 1]))
    else {
      let editor = facts.configurationIsOwn ? "${EDITOR:-vi}" : "sudoedit"
      return [
        .command("\(editor) +\(line) \(Shell.quoted(path))"),
        .command("stepperctl check \(Shell.quoted(path))"),
      ]
    }
    return facts.editing("\(line)s/\(Sed.pattern(word))/\(Sed.replacement(suggestion))/")
  }

  /// The word on the line that the suggestion replaces: the most similar one from the place of the problem on.
  private static func misspelt(_ problem: ConfigurationProblem, in line: String) -> String? {
    let start = problem.column.map { max($0 - 1, 0) } ?? 0
    let rest = String(String.UnicodeScalarView(line.unicodeScalars.dropFirst(start)))
    let separators = " \t=,[]{}\"'.:"
    let words = rest.split(whereSeparator: separators.contains).map(String.init)
    let word = problem.suggestion.flatMap { meant in
      suggestion(for: meant, among: words.filter { $0 != meant })
    }
    // Of several occurrences the first one may be another.
    guard let word, line.ranges(of: word).count == 1 else { return nil }
    return word
  }

  /// How what the daemon uses differs from the file.
  private static func difference(_ status: ManagerInterface.GetStatus.Reply, _ facts: Facts) -> String? {
    guard let configuration = facts.configuration.configuration else { return nil }
    if status.configuration == nil, let path = facts.configuration.path {
      return "the daemon uses the built-in configuration, and \(path) exists"
    }
    let configured = Set(configuration.controls.map(\.settings.name))
    let different = configured.symmetricDifference(facts.daemon?.controls ?? Array(configured)).sorted()
    guard different.isEmpty else {
      return
        "the controls of the daemon and of the file differ: \(different.prefix(5).joined(separator: ", "))"
    }
    // The daemon compares them byte by byte, and reports it with this remedy.
    return status.problems.first(where: isOutdated).map { String($0.prefix { $0 != ";" }) }
  }

  static func isOutdated(_ problem: String) -> Bool {
    problem.hasSuffix("'stepperctl reload' puts it in use")
  }
}
