package import ArgumentParser
internal import Glibc
internal import StepperLinux
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
      control or device to monitor, 78 the configuration has errors, 124 no reply in time.
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
    // Unlike a daemon it stops where the terminal stops the output of programs in the background (stty tostop).
    signal(SIGTTOU, SIG_DFL)
    guard let given = OutsideText.arguments else {
      Output.error(CommandFailure("an argument is not \(OutsideText.requirement)", code: .usage))
      exit(withCode: .usage)
    }
    do {
      var command = try parseAsRoot(given)
      try command.run()
    } catch let failure as CommandFailure {
      Output.error(failure)
      exit(withCode: failure.code)
    } catch {
      finish(error)
    }
  }

  /// Prints help, versions and scripts on the standard output, and errors of the command line on the standard error.
  private static func finish(_ error: any Error) {
    let text = fullMessage(for: error)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    switch exitCode(for: error) {
    case .success:
      Output.lines(CompletionScript.completed(lines))
      exit(withCode: .success)
    case .validationFailure:
      let head = "Error: "
      let isHeaded = text.hasPrefix(head)
      let message = isHeaded ? [String(lines[0].dropFirst(head.count))] + lines.dropFirst() : lines
      Output.error(CommandFailure(lines: message, code: .usage))
      exit(withCode: .usage)
    case let code:
      if !text.isEmpty { Output.error(CommandFailure(lines: lines, code: code)) }
      exit(withCode: code)
    }
  }

  private static func exit(withCode code: ExitCode) -> Never { exit(withError: code) }
}
