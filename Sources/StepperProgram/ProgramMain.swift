package import Logging
package import ArgumentParser
internal import Glibc
package import StepperConfiguration
internal import StepperLinux
internal import SystemPackage
internal import Varlink

extension ParsableCommand {
  /// The main function of a program: runs the command named by the arguments. A thrown error becomes lines on standard error and an exit
  /// status; help and version go to standard output.
  package static func runProgram() {
    StandardStream.prepare()
    do {
      guard let arguments = OutsideText.arguments else {
        throw ValidationError("an argument is not \(OutsideText.requirement)")
      }
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch let failure as ExitFailure {
      end(failure)
    } catch let error as Errno {
      end(ExitFailure(.system, "\(error)"))
    } catch {
      let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
      guard exitCode(for: error) == .success else {
        StandardStream.error.write(lines: lines)
        Glibc.exit(EX_USAGE)
      }
      do throws(ExitFailure) { try printAnswer(lines) } catch { end(error) }
      Glibc.exit(EXIT_SUCCESS)
    }
  }

  private static func end(_ failure: ExitFailure) -> Never {
    let prefix = failure.isComplete ? "" : "\(configuration.commandName ?? ""): "
    StandardStream.error.write(lines: failure.lines.map { prefix + $0 }, timeout: .seconds(2))
    Glibc.exit(failure.code.number)
  }
}

extension CommandConfiguration {
  /// The command of a program that reads `tables` of the daemon's configuration file. `exitStatus` lists
  /// its own exit codes, beginning with 0.
  package init(of program: BridgeProgram, abstract: String, reads tables: String, exitStatus: String) {
    self.init(
      commandName: program.rawValue, abstract: abstract,
      discussion: """
        It reads \(tables) of the daemon's configuration file: without --config that of the user, if there is \
        one, else /etc/stepperd/stepperd.toml. Without --address the daemon is found as by stepperctl. See \(program.rawValue)(8).

        Exit status: \(exitStatus), 71 the system refused something, 78 the configuration has errors.
        """,
      version: "\(program.rawValue) \(Product.version)")
  }
}

/// The program's logger, which writes to standard error. `name` is the program's name.
package func programLogger(_ name: String) -> Logger {
  let output = LogOutput()
  return Logger(label: name) { _ in StderrLogHandler(output) }
}
