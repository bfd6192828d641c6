internal import ArgumentParser
internal import StepperConfiguration
internal import StepperCore
internal import StepperInput

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a configuration without using it.",
    discussion: """
      Prints every problem on a line and exits with 78 if there are errors, as 'stepperd --check' does. No daemon is \
      asked. Without a file it is the configuration that a daemon of yours, else the system's, would read.
      """)

  @Argument(help: "The file, or - for the standard input.", completion: .file(extensions: ["toml"]))
  var file: String?
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let source = ConfigurationSource(file)
    let (configuration, problems) = Configuration.load(
      try source.bytes(), file: source.name, resolvingCode: { EvdevUsage(name: $0) },
      knownCodes: EvdevUsage.allNames)
    for problem in problems {
      if global.json { try Output.json(ProblemLine(problem)) } else { Output.line("\(problem)") }
    }
    guard configuration != nil else { throw ExitCode.configuration }
    if !global.json { Output.line("\(source.name): no errors") }
  }
}

/// A problem in JSON, with the fields that `org.stepperd.manager.Check` has.
private struct ProblemLine: Encodable {
  var file: String
  var keyPath: String
  var line: Int?
  var column: Int?
  var severity: String
  var message: String
  var suggestion: String?

  init(_ problem: ConfigurationProblem) {
    (file, keyPath, line, column) = (problem.file, problem.keyPath, problem.line, problem.column)
    (severity, message, suggestion) = (problem.severity.rawValue, problem.message, problem.suggestion)
  }
}
