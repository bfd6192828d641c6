package import Logging
package import ArgumentParser
internal import Glibc
internal import StepperLinux
internal import SystemPackage
internal import Varlink

extension ParsableCommand {
  /// The main function of a program: runs the command that its arguments name. What it throws becomes lines on standard
  /// error and an exit status; help and version go to standard output.
  package static func runProgram() {
    StandardStream.prepare()
    do {
      guard let arguments = OutsideText.arguments else {
        throw ValidationError("an argument is not \(OutsideText.requirement)")
      }
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch let failure as ExitFailure {
      let prefix = failure.isComplete ? "" : "\(configuration.commandName ?? ""): "
      StandardStream.error.write(lines: failure.lines.map { prefix + $0 }, timeout: .seconds(2))
      Glibc.exit(failure.code.number)
    } catch let error as Errno {
      StandardStream.error.write(line: "\(configuration.commandName ?? ""): \(error)", timeout: .seconds(2))
      Glibc.exit(EX_OSERR)
    } catch {
      let isAsked = exitCode(for: error) == .success
      let stream: StandardStream = isAsked ? .output : .error
      let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
      stream.write(lines: lines.map(String.init))
      Glibc.exit(isAsked ? EXIT_SUCCESS : EX_USAGE)
    }
  }
}

/// What a program logs with, on standard error. `name` is that of the program.
package func programLogger(_ name: String) -> Logger {
  let output = LogOutput()
  return Logger(label: name) { _ in StderrLogHandler(output) }
}
