internal import StepperConfiguration
internal import StepperText

/// The problems of the configuration on disk, as `stepperctl check` reports them.
enum ConfigurationCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    let configuration = facts.configuration
    if let failure = configuration.failure, let path = configuration.path {
      return [unreadable(path, failure, facts)]
    }
    let errors = configuration.problems.filter { $0.severity == .error }
    guard errors.isEmpty else { return errors.prefix(most).map { finding($0, facts) } }
    let warnings = configuration.problems.prefix(most).map { finding($0, facts) }
    guard warnings.isEmpty else { return warnings }
    let controls = configuration.configuration?.controls.count ?? 0
    return [
      Finding(
        "configuration.valid", "configuration", .ok,
        "\(configuration.path ?? "the built-in configuration") has no errors and \(controls) control\(controls == 1 ? "" : "s")"
      )
    ]
  }

  private static let most = 20

  private static func unreadable(_ path: String, _ failure: String, _ facts: Facts) -> Finding {
    // A caller who may not read the file learns nothing about the daemon.
    let isOwn = facts.caller.isRoot || !facts.isSystem
    return Finding(
      "configuration.unreadable", "configuration", isOwn ? .wrong : .note, "\(path) \(failure)",
      because: isOwn ? "The daemon does not start without it." : "Its content is not checked.",
      remedies: isOwn ? [] : [.command("sudo stepperctl doctor")])
  }

  private static func finding(_ problem: ConfigurationProblem, _ facts: Facts) -> Finding {
    let isError = problem.severity == .error
    let text = problem.description
    return Finding(
      isError ? "configuration.error" : "configuration.warning", "configuration", isError ? .wrong : .warning,
      text,
      because: isError
        ? "The daemon does not start with it, and at a reload keeps the former one." : nil,
      remedies: remedies(problem, facts))
  }

  private static func remedies(_ problem: ConfigurationProblem, _ facts: Facts) -> [Remedy] {
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
    return [facts.editing("\(line)s/\(Sed.pattern(word))/\(Sed.replacement(suggestion))/")] + facts.applying
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
}

/// Text in a command of sed(1).
enum Sed {
  static func pattern(_ text: String) -> String { escaped(text, #"\/.*[]^$"#) }
  static func replacement(_ text: String) -> String { escaped(text, #"\/&"#) }

  private static func escaped(_ text: String, _ special: String) -> String {
    text.map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

extension Facts {
  /// Whether the caller may write the configuration without further rights.
  var configurationIsOwn: Bool { caller.isRoot || !isSystem }

  /// A change of the configuration by a command of sed(1).
  func editing(_ command: String) -> Remedy {
    let text = "sed -i \(Shell.quoted(command)) \(Shell.quoted(configuration.path ?? ""))"
    return configurationIsOwn ? .command(text) : shell.asRoot(text)
  }

  /// What makes the daemon use a changed configuration.
  var applying: [Remedy] {
    if daemons.contains(where: { $0.status != nil }) {
      return isSystem ? [shell.asRoot("systemctl reload stepperd.service")] : [.command("stepperctl reload")]
    }
    return isSystem && service.file != nil ? [shell.asRoot("systemctl restart stepperd.service")] : []
  }
}
