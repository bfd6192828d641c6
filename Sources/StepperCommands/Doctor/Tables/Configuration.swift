internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces
internal import StepperText

/// The configuration on disk: its problems as `stepperctl check` reports them, and whether the daemon uses it.
extension Facts {
  @FindingList var aboutConfiguration: [Finding] {
    let unreadable = configuration.failure.flatMap { failure in configuration.path.map { "\($0) \(failure)" }
    }
    first("configuration") {
      Finding(
        "configuration.unreadable", .wrong, when: configurationIsOwn, seen: unreadable,
        because: "The daemon does not start without it.",
        fix: configuration.path.map { [.command("ls -ld \(Shell.quoted($0))")] } ?? [])
      // The daemon may be able to read the file although the caller is not.
      Finding(
        "configuration.unreadable", .note, seen: unreadable, because: "Its content is not checked.",
        fix: [.command("sudo stepperctl doctor")])
    }
    Finding(
      "configuration.unreadable", configurationIsOwn ? .wrong : .note, about: "configuration",
      seen: configuration.includedFailure, because: "The included file is not checked.",
      fix: configurationIsOwn ? [] : [.command("sudo stepperctl doctor")])
    all {
      for problem in configuration.shownProblems {
        first("configuration") {
          Finding(
            "configuration.error", .wrong, when: problem.severity == .error, seen: problem.description,
            because: problem.file == configuration.included
              ? "The daemon leaves this file out at its start, and at a reload keeps the former one."
              : "The daemon does not start with it, and at a reload keeps the former one.",
            fix: correcting(problem))
          Finding("configuration.warning", .warning, seen: problem.description, fix: correcting(problem))
        }
      }
    } otherwise: {
      let name = [configuration.path ?? "the built-in configuration", configuration.included]
        .compactMap(\.self).joined(separator: " with ")
      let controls = configuration.configuration?.controls.count ?? 0
      Finding(
        "configuration.valid", .ok, about: "configuration", when: configuration.failure == nil,
        seen: "\(name) has no errors and \(controls.counted("control"))")
    }
    Finding(
      "configuration.outdated", .wrong, about: "configuration", seen: daemon?.status.flatMap(difference),
      because: "The daemon reads the file at its start and at a reload only.", fix: applying)
  }

  private func correcting(_ problem: ConfigurationProblem) -> [Remedy] {
    guard let path = configuration.path else { return [] }
    guard problem.file != configuration.included else {
      return [
        .advice("correct \(problem.file) with the program that writes it, or send another one"),
        .command("stepperctl check \(Shell.quoted(path))"),
      ]
    }
    guard let line = problem.line else { return [] }
    let lines = configuration.text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard let suggestion = problem.suggestion, lines.indices.contains(line - 1),
      let word = Self.misspelt(problem, in: String(lines[line - 1]))
    else {
      let editor = configurationIsOwn ? "${EDITOR:-vi}" : "sudoedit"
      return [
        .command("\(editor) +\(line) \(Shell.quoted(path))"),
        .command("stepperctl check \(Shell.quoted(path))"),
      ]
    }
    return editing("\(line)s/\(Sed.pattern(word))/\(Sed.replacement(suggestion))/")
  }

  /// The word in the line that the suggestion replaces: the most similar word after the position of the problem.
  private static func misspelt(_ problem: ConfigurationProblem, in line: String) -> String? {
    let start = problem.column.map { max($0 - 1, 0) } ?? 0
    let rest = String(String.UnicodeScalarView(line.unicodeScalars.dropFirst(start)))
    let separators = " \t=,[]{}\"'.:"
    let words = rest.split(whereSeparator: separators.contains).map(String.init)
    let word = problem.suggestion.flatMap { meant in
      suggestion(for: meant, among: words.filter { $0 != meant })
    }
    // If the word occurs several times, it is unclear which one is meant.
    guard let word, let place = line.place(of: word), !line[place.upperBound...].has(word) else { return nil }
    return word
  }

  /// How the configuration that the daemon uses differs from the file.
  private func difference(_ status: ManagerInterface.GetStatus.Reply) -> String? {
    guard let read = configuration.configuration else { return nil }
    if status.configuration == nil, let path = configuration.path {
      return "the daemon uses the built-in configuration, and \(path) exists"
    }
    let configured = Set(read.controls.map(\.settings.name))
    let used = Set(daemon?.controls ?? Array(configured))
    // The daemon may have controls of an included file that is not known here.
    let different =
      (configuration.isPartial ? configured.subtracting(used) : configured.symmetricDifference(used)).sorted()
    guard different.isEmpty else {
      return
        "the controls of the daemon and of the file differ: \(different.prefix(5).joined(separator: ", "))"
    }
    // The daemon compares both byte by byte, and reports a difference with this remedy.
    return status.problems.first(where: Self.isOutdated).map { String($0.prefix { $0 != ";" }) }
  }

  static func isOutdated(_ problem: String) -> Bool {
    problem.hasSuffix("'stepperctl reload' puts it in use")
  }
}
