/// The problems of one document while it is read. All that read it report here.
package final class ProblemList {
  private let file: String
  private let document: Document
  /// Those that are reported one by one; the others are only counted.
  private var problems: [ConfigurationProblem] = []
  private(set) var errorCount = 0
  private var warningCount = 0

  init(file: String, _ document: Document) {
    self.file = file
    self.document = document
  }

  /// Whether a problem is with a key or with what it is set to.
  package enum Spot { case key, value }

  var hasErrors: Bool { errorCount > 0 }

  /// Beyond ``ConfigurationLimit/problems`` a problem is only counted: neither its message nor a suggestion is made.
  ///
  /// Not inlined: it is called in some 180 places, and a configuration has few problems.
  @inline(never) func report(
    _ message: @autoclosure () -> String, at path: ValuePath, _ spot: Spot = .value,
    severity: ConfigurationProblem.Severity = .error, suggesting suggestion: () -> String? = { nil }
  ) {
    if severity == .error { errorCount += 1 } else { warningCount += 1 }
    guard problems.count < ConfigurationLimit.problems else { return }
    let problem = ConfigurationProblem(
      severity, file: file, keyPath: path.description, message: message(),
      suggestion: suggestion().map { excerpt($0) })
    append(problem, at: document.position(of: path, atKey: spot == .key))
  }

  private func append(_ problem: ConfigurationProblem, at position: SourcePosition?) {
    var problem = problem
    (problem.line, problem.column) = (position?.line, position?.column)
    problems.append(problem)
  }

  /// Reports what keeps the text from being TOML. Its keys and values are only checked without such errors.
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

  /// In the order of the file, then those without a place, and last how many more there are.
  var sorted: [ConfigurationProblem] {
    let places = problems.enumerated().map { ($1.line ?? .max, $1.column ?? .max, $0) }
    let sorted = places.sorted(by: <).map { problems[$0.2] }
    let omitted = errorCount + warningCount - problems.count
    guard omitted > 0 else { return sorted }
    let message = "… and \(omitted) more problem\(omitted == 1 ? "" : "s")"
    return sorted + [ConfigurationProblem(hasErrors ? .error : .warning, file: file, message: message)]
  }
}
