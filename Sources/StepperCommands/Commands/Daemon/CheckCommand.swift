internal import ArgumentParser
internal import StepperClient
internal import StepperConfiguration
internal import StepperLinux

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a configuration without using it.",
    discussion: """
      Prints every problem on a line and exits with 78 if there are errors, as 'stepperd --check' does. Needs no \
      daemon. Defaults to the configuration of the user's daemon, else to that of the system service.
      """)

  @Argument(help: "The file, or - for the standard input.", completion: .file(extensions: ["toml"]))
  var file: String?
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let source = ConfigurationArgument(file)
    let complete = try source.complete(
      programProblem: { problem(ofProgram: $0, path: environmentVariable("PATH")) })
    let accounts = complete.configuration.map { configuration in
      ConfigurationAccounts(
        configuration.daemon, file: source.name, isUsers: source.name == ConfigurationArgument.userFile()
      ) { try ($0 == .user ? AccountFile.users : .groups).accounts() }
    }
    let problems = complete.problems + (accounts?.problems ?? [])
    for problem in problems { try global.write(ManagerInterface.Problem(problem), or: "\(problem)") }
    guard let accounts, accounts.errors.isEmpty, complete.leftOut.isEmpty else {
      throw ExitCode.configuration
    }
    if !global.json { Output.line("\(source.name): no errors") }
  }
}

extension ManagerInterface.Problem {
  /// A problem that was found without a daemon, for JSON.
  fileprivate init(_ problem: ConfigurationProblem) {
    self.init(
      file: problem.file, keyPath: problem.keyPath, line: problem.line.map(Int64.init),
      column: problem.column.map(Int64.init), severity: problem.severity == .error ? .error : .warning,
      message: problem.message, suggestion: problem.suggestion)
  }
}
