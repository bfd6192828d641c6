/// The problems of one document while it is read. All that read it report here.
final class ProblemList {
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
  enum Spot { case key, value }

  var hasErrors: Bool { errorCount > 0 }

  /// Beyond ``ConfigurationLimit/problems`` a problem is only counted: neither its message nor a suggestion is made.
  func report(
    _ message: @autoclosure () -> String, at path: ValuePath, _ spot: Spot = .value,
    severity: ConfigurationProblem.Severity = .error, suggesting suggestion: () -> String? = { nil }
  ) {
    switch severity {
    case .error: errorCount += 1
    case .warning: warningCount += 1
    }
    guard problems.count < ConfigurationLimit.problems else { return }
    let position = document.position(of: path, atKey: spot == .key)
    var problem = ConfigurationProblem(
      file: file, keyPath: path.description, line: position?.line, column: position?.column,
      message: message())
    problem.severity = severity
    problem.suggestion = suggestion().map { excerpt($0) }
    problems.append(problem)
  }

  /// Reports what keeps the text from being TOML. Its keys and values are only checked without such errors.
  func reportSyntaxErrors() {
    for error in document.errors {
      let position = document.text.position(at: error.offset)
      var problem = ConfigurationProblem(
        file: file, keyPath: error.path.description, line: position.line, column: position.column,
        message: error.message)
      problem.suggestion = error.suggestion
      problems.append(problem)
    }
    let isCut = document.errors.count >= ConfigurationLimit.problems
    var note = ConfigurationProblem(
      file: file, keyPath: "",
      message: isCut
        ? "the rest of the file was not read"
        : "keys and values were not checked, because of these errors")
    note.severity = .warning
    problems.append(note)
    errorCount += document.errors.count
    warningCount += 1
  }

  /// In the order of the file, then those without a place, and last how many more there are.
  var sorted: [ConfigurationProblem] {
    let sorted = problems.enumerated().sorted { left, right in
      let ends = (line: Int.max, column: Int.max)
      return (left.element.line ?? ends.line, left.element.column ?? ends.column, left.offset)
        < (right.element.line ?? ends.line, right.element.column ?? ends.column, right.offset)
    }.map(\.element)
    let omitted = errorCount + warningCount - problems.count
    guard omitted > 0 else { return sorted }
    var rest = ConfigurationProblem(
      file: file, keyPath: "", message: "… and \(omitted) more problem\(omitted == 1 ? "" : "s")")
    if !hasErrors { rest.severity = .warning }
    return sorted + [rest]
  }
}
