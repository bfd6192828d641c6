internal import StepperClient

/// Problems of a configuration in words.
enum ProblemText {
  /// `FILE:LINE:COLUMN: error: KEY: message`, as compilers write it.
  static func line(_ problem: ManagerInterface.Problem) -> String {
    var place = problem.file
    if let line = problem.line { place += ":\(line)" }
    if problem.line != nil, let column = problem.column { place += ":\(column)" }
    let severity = problem.severity == .warning ? "warning" : "error"
    let key = problem.keyPath.isEmpty ? "" : "\(problem.keyPath): "
    let meant = problem.suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
    return "\(place): \(severity): \(key)\(problem.message)\(meant)"
  }

  /// Writes `problems`, one a line.
  static func write(_ problems: [ManagerInterface.Problem], json: Bool) throws {
    for problem in problems {
      if json { try Output.json(problem) } else { Output.line(line(problem)) }
    }
  }
}
