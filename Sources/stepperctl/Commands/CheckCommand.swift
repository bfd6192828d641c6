internal import ArgumentParser
internal import StepperClient

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a configuration without using it.",
    discussion: """
      Prints every problem on a line and exits with 78 if there are errors. Without a running daemon, \
      'stepperd --check' does it.
      """)

  @Argument(help: "The file, or - for the standard input.", completion: .file(extensions: ["toml"]))
  var file: String?
  @OptionGroup var global: GlobalOptions

  /// The daemon takes no longer calls than 64 KiB, and text grows when it is written as JSON.
  private static let largestText = 48 << 10

  func run() throws {
    let source = ConfigurationSource(file)
    let text = try source.read()
    try global.run { client in
      guard text.utf8.count <= Self.largestText else { return try withoutDaemon(source, text, reason: nil) }
      let problems: [ManagerInterface.Problem]
      do throws(StepperClientError) {
        problems = try client.check(text, file: source.name)
      } catch {
        guard error.code == .cannotConnect else { throw error }
        return try withoutDaemon(source, text, reason: error)
      }
      try ProblemText.write(problems, json: global.json)
      if problems.contains(where: { $0.severity == .error }) { throw ExitCode.configuration }
      if !global.json, problems.isEmpty { Output.line("\(source.name): no problems") }
    }
  }

  /// Becomes `stepperd --check`, which writes what it finds and exits as this would.
  private func withoutDaemon(
    _ source: ConfigurationSource, _ text: String, reason: StepperClientError?
  ) throws {
    guard !global.json else {
      throw reason ?? StepperClientErrorText.tooLarge
    }
    try CheckingProgram.replaceThisProgram(checking: source, text: text)
    if let reason { throw reason }
    throw StepperClientErrorText.tooLarge
  }
}

/// What a command says that the library has no error for.
enum StepperClientErrorText {
  static let tooLarge = CommandFailure(
    message: "the text is too large for the daemon, and there is no stepperd beside stepperctl or in PATH",
    code: .failure)
}
