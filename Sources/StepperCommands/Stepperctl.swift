package import ArgumentParser
internal import Glibc
internal import StepperLinux
internal import StepperText
internal import Varlink

/// The command line program.
package struct Stepperctl: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "stepperctl",
    abstract: "Read, change and follow the controls of stepperd.",
    discussion: """
      Without --address the daemon is found by STEPPERD_ADDRESS, then at the user's socket \
      ($XDG_RUNTIME_DIR/stepperd/org.stepperd), then at the system's (/run/stepperd/org.stepperd).

      Exit status: 0 success, 1 the daemon replied with an error, 2 invalid command line, 3 cannot connect, 4 no such \
      control, or no such device to monitor, to record or to learn, 78 the configuration has errors, 124 no reply in time.
      """,
    version: "stepperctl \(Product.version)",
    groupedSubcommands: [
      CommandGroup(
        name: "Controls",
        subcommands: [
          ListCommand.self, GetCommand.self, SetCommand.self, ToggleCommand.self, StepCommand.self,
          ResetCommand.self, HoldCommand.self, AdjustCommand.self,
          WatchCommand.self, SpeakCommand.self,
        ]),
      CommandGroup(
        name: "Devices",
        subcommands: [
          DevicesCommand.self, TurnCommand.self, PressCommand.self, ReleaseCommand.self, ClickCommand.self,
          MoveCommand.self, MonitorCommand.self, LearnCommand.self, FeedbackCommand.self,
        ]),
      CommandGroup(name: "Recordings", subcommands: [RecordCommand.self, ReplayCommand.self]),
      CommandGroup(name: "Feel", subcommands: [ProfileCommand.self, TryCommand.self]),
      CommandGroup(
        name: "Daemon",
        subcommands: [
          StatusCommand.self, DoctorCommand.self, MetricsCommand.self, CheckCommand.self, ReloadCommand.self,
        ]),
    ])

  @OptionGroup var global: GlobalOptions

  package static func main() {
    StandardStream.prepare()
    // Unlike a daemon, this program stops if the terminal stops the output of background programs (stty tostop).
    signal(SIGTTOU, SIG_DFL)
    guard let given = OutsideText.arguments else {
      fail(CommandFailure("an argument is not \(OutsideText.requirement)", code: .usage), [])
    }
    // ArgumentParser would print help for any word after `help`.
    if given.first == "help", let failure = UnknownCommand.failure(given) { fail(failure, given) }
    do {
      var command = try parseAsRoot(given)
      try command.run()
    } catch let failure as CommandFailure {
      fail(failure, given)
    } catch {
      finish(error, given)
    }
  }

  /// Prints help, versions and scripts on the standard output, and errors of the command line on the standard error.
  private static func finish(_ error: any Error, _ given: [String]) {
    let text = quoting(given, in: fullMessage(for: error))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    switch exitCode(for: error) {
    case .success:
      Output.lines(CompletionScript.completed(lines))
      exit(withCode: .success)
    case .validationFailure:
      if let failure = UnknownCommand.failure(given) { fail(failure, given) }
      let head = "Error: "
      let isHeaded = text.hasPrefix(head)
      let message = isHeaded ? [String(lines[0].dropFirst(head.count))] + lines.dropFirst() : lines
      fail(CommandFailure(lines: message, code: .usage), given)
    case let code:
      if text.isEmpty { exit(withCode: code) }
      fail(CommandFailure(lines: lines, code: code), given)
    }
  }

  private static func fail(_ failure: CommandFailure, _ given: [String]) -> Never {
    var failure = failure
    failure.lines = failure.lines.map { quoting(given, in: $0) }
    Output.error(failure)
    exit(withCode: failure.code)
  }

  /// `message` with the `arguments` that it quotes, and their parts behind `=`, on one line and of limited length. JSON
  /// has them as they are.
  private static func quoting(_ arguments: [String], in message: String) -> String {
    guard !Output.writesJSON else { return message }
    var message = message
    for argument in arguments.flatMap({ [$0, String($0.drop { $0 != "=" }.dropFirst())] }) {
      let short = argument.onOneLine(limit: 256)
      if short != argument, let place = message.place(of: argument) {
        message.replaceSubrange(place, with: short)
      }
    }
    return message
  }

  private static func exit(withCode code: ExitCode) -> Never { exit(withError: code) }
}
