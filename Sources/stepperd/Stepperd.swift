import ArgumentParser
import Logging
import StepperDaemon
import StepperSystem

/// The command line. What it orders is done by ``Launch``.
@main
struct Stepperd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stepperd",
    abstract: "Turn knobs, buttons and faders into named, bounded values.",
    discussion: """
      Without a configuration file it has one control, "volume", driven by a virtual front panel and by every \
      device that is plainly a stepper. See stepperd(8), stepperd.toml(5) and stepperctl(1).
      """,
    version: Version.number)

  @Option(help: ArgumentHelp("Read this configuration instead of the usual one.", valueName: "file"))
  var config: String?

  @Flag(help: "Be the machine's daemon or the user's; by default as it was started.")
  var scope: Scope?

  @Option(help: ArgumentHelp("Listen here.", valueName: "path"))
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "Least severity that is logged: debug, info, notice, warning, error.", valueName: "level"),
    transform: { text in
      guard let level = Logger.Level(rawValue: text) else {
        throw ValidationError("there is no level \"\(text)\"; use debug, info, notice, warning or error")
      }
      return level
    })
  var logLevel: Logger.Level?

  @Flag(help: "Check the configuration, say everything that is wrong with it, and end.")
  var check = false

  @Argument(help: ArgumentHelp("With --check: the file to check.", valueName: "file"))
  var file: String?

  enum Scope: String, EnumerableFlag {
    case system, user
  }

  static func main() {
    StandardStream.prepare()
    main(nil)
  }

  func validate() throws {
    if file != nil, !check {
      throw ValidationError("a file is only named with --check; did you mean --config \(file ?? "")?")
    }
  }

  func run() throws {
    let arguments = self
    // The process has one thread, and this is it.
    let code = MainActor.assumeIsolated { Launch(arguments).run() }
    throw code
  }
}
