import CLinux
import Glibc
import Logging
import StepperDaemon
import Varlink

/// The command line, read with getopt_long(3).
struct CommandLineOptions {
  /// What the program is asked to do.
  enum Task {
    case run, check, printHelp, printVersion
  }

  /// The reason why a command line cannot be used; nil: getopt_long(3) has already printed it.
  struct UsageError: Error {
    var message: String?
  }

  var task = Task.run
  /// The configuration file; nil: the default one.
  var configuration: String?
  /// nil: determined by how the program was started.
  var scope: Paths.Scope?
  /// The path of the socket; nil: the path that the configuration names, or the default one.
  var socket: String?
  /// nil: the level that the configuration names.
  var logLevel: Logger.Level?
  /// The file that inputs are recorded to; nil: inputs are not recorded.
  var record: String?
  /// The maximum size of the recording, in bytes.
  var recordLimit: Int64?

  /// Reads the arguments of this process. Arguments that are not options are moved to the end.
  static func read() throws(UsageError) -> CommandLineOptions {
    var options = CommandLineOptions()
    let definitions = unsafe Option.allCases.map { unsafe $0.definition } + [option()]
    while true {
      let found = unsafe getopt_long(CommandLine.argc, CommandLine.unsafeArgv, "h", definitions, nil)
      guard found != -1 else { break }
      guard let option = Option(rawValue: found) else { throw UsageError() }
      try options.apply(option, unsafe option_argument().map { unsafe OutsideText.shown($0) } ?? "")
    }
    // getopt_long(3) has moved the operands to the end.
    guard let arguments = OutsideText.arguments else {
      throw UsageError(message: "an argument is not \(OutsideText.requirement)")
    }
    guard options.recordLimit == nil || options.record != nil else {
      throw UsageError(message: "--record-limit needs --record")
    }
    try options.apply(operands: arguments.dropFirst(Int(first_operand()) - 1))
    return options
  }

  private mutating func apply(_ option: Option, _ value: String) throws(UsageError) {
    if [.config, .socket, .record].contains(option), value.isEmpty { throw Self.noPath }
    switch option {
    case .config: configuration = value
    case .system, .user:
      let wanted: Paths.Scope = option == .system ? .system : .user
      guard scope == nil || scope == wanted else {
        throw UsageError(message: "--system and --user exclude each other")
      }
      scope = wanted
    case .socket: socket = value
    case .logLevel:
      guard let level = Logger.Level(rawValue: value), level != .trace, level != .critical else {
        throw UsageError(
          message: "there is no log level \"\(value)\"; use debug, info, notice, warning or error")
      }
      logLevel = level
    case .record: record = value
    case .recordLimit:
      guard let limit = EngineRecording.bytes(value) else {
        throw UsageError(
          message: "\"\(value)\" is not a size; use a number with K, M or G, from 64K to 1024G")
      }
      recordLimit = limit
    case .check: if task == .run { task = .check }
    case .version: task = .printVersion
    case .help: task = .printHelp
    }
  }

  /// The only operand is the file of `--check`.
  private mutating func apply(operands: ArraySlice<String>) throws(UsageError) {
    guard let file = operands.first else { return }
    guard task == .check else {
      throw UsageError(message: "a file can be given only with --check; did you mean --config \(file)?")
    }
    guard operands.count == 1 else {
      throw UsageError(message: "--check takes one file, not \(operands.count)")
    }
    guard !file.isEmpty else { throw Self.noPath }
    configuration = file
  }

  private static let noPath = UsageError(message: "the path of a file is empty; is a variable unset?")

  static let help = """
    Usage: stepperd [OPTION]...
           stepperd --check [FILE]
    Turns knobs, buttons and faders into named, bounded values.

          --config=FILE      read this configuration file instead of the default one
          --system, --user   run as the system service, or as a user's daemon;
                             by default as it was started
          --socket=PATH      listen on this path instead of the default one
          --log-level=LEVEL  least severity that is logged: debug, info, notice,
                             warning or error
          --record=FILE      record every input of the controls to a new file, which
                             "stepperctl replay" plays again
          --record-limit=SIZE  the largest size of that file, as 100M, from 64K
                             to 1024G; by default 1G
          --check            check the configuration, print all problems, and exit;
                             FILE may be - for the standard input
          --version          print the version and exit
      -h, --help             print this text and exit

    Without a configuration file it has one control, "volume", driven by a virtual
    front panel and by every device that is a dedicated stepper.
    See stepperd(8), stepperd.toml(5) and stepperctl(1).
    """
}

/// The options; the raw values are what getopt_long(3) returns.
private enum Option: CInt, CaseIterable {
  case config = 1
  case system, user, socket, logLevel, check, version, record, recordLimit
  case help = 104  // "h", which is also the short option

  var definition: option {
    let (name, hasValue): (StaticString, CInt) =
      switch self {
      case .config: ("config", required_argument)
      case .system: ("system", no_argument)
      case .user: ("user", no_argument)
      case .socket: ("socket", required_argument)
      case .logLevel: ("log-level", required_argument)
      case .check: ("check", no_argument)
      case .record: ("record", required_argument)
      case .recordLimit: ("record-limit", required_argument)
      case .version: ("version", no_argument)
      case .help: ("help", no_argument)
      }
    return unsafe option(
      name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self), has_arg: hasValue,
      flag: nil,
      val: rawValue)
  }
}
