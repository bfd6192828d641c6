/// The problems of one document while it is read. All of its readers report here.
package final class ProblemList {
  private let file: String
  private let document: Document
  /// The problems that are reported one by one; further problems are only counted.
  private var problems: [ConfigurationProblem] = []
  private(set) var errorCount = 0
  private var warningCount = 0
  /// The number of warnings in ``problems``.
  private var keptWarningCount = 0

  init(file: String, _ document: Document) {
    self.file = file
    self.document = document
  }

  /// Whether a problem concerns a key or its value.
  package enum Spot { case key, value }

  var hasErrors: Bool { errorCount > 0 }

  /// Beyond ``ConfigurationLimit/problems`` a problem is only counted; its message and suggestion are not computed. An
  /// error then replaces a warning.
  ///
  /// Not inlined, because some 180 places call it and a configuration has few problems.
  @inline(never) func report(
    _ message: @autoclosure () -> String, at path: ValuePath, _ spot: Spot = .value,
    severity: ConfigurationProblem.Severity = .error, suggesting suggestion: () -> String? = { nil }
  ) {
    if severity == .error { errorCount += 1 } else { warningCount += 1 }
    guard problems.count < ConfigurationLimit.problems || severity == .error && dropWarning() else { return }
    let problem = ConfigurationProblem(
      severity, file: file, keyPath: path.description, message: message(),
      suggestion: suggestion().map { excerpt($0) })
    append(problem, at: document.position(of: path, atKey: spot == .key))
  }

  /// Drops the last warning; returns whether there was one.
  private func dropWarning() -> Bool {
    guard keptWarningCount > 0, let place = problems.lastIndex(where: { $0.severity == .warning }) else {
      return false
    }
    problems.remove(at: place)
    keptWarningCount -= 1
    return true
  }

  private func append(_ problem: ConfigurationProblem, at position: SourcePosition?) {
    var problem = problem
    (problem.line, problem.column) = (position?.line, position?.column)
    problems.append(problem)
    if problem.severity == .warning { keptWarningCount += 1 }
  }

  /// Reports the violations of TOML. Keys and values are checked only if there are none.
  func reportSyntaxErrors() {
    for error in document.errors {
      let problem = ConfigurationProblem(
        file: file, keyPath: error.path.description, message: error.message, suggestion: error.suggestion)
      append(problem, at: document.text.position(at: error.offset))
    }
    let isCut = document.errors.count >= ConfigurationLimit.problems
    let note =
      isCut
      ? "the rest of the file was not read" : "keys and values were not checked, because of these errors"
    problems.append(ConfigurationProblem(.warning, file: file, message: note))
    errorCount += document.errors.count
    warningCount += 1
  }

  /// The problems in the order of the file, then those without a position, and last the number of further problems.
  var sorted: [ConfigurationProblem] {
    let places = problems.enumerated().map { ($1.line ?? .max, $1.column ?? .max, $0) }
    let sorted = places.sorted(by: <).map { problems[$0.2] }
    let omitted = errorCount + warningCount - problems.count
    guard omitted > 0 else { return sorted }
    let message = "… and \(omitted) more problem\(omitted == 1 ? "" : "s")"
    let hasMoreErrors = errorCount > problems.count { $0.severity == .error }
    return sorted + [ConfigurationProblem(hasMoreErrors ? .error : .warning, file: file, message: message)]
  }
}
