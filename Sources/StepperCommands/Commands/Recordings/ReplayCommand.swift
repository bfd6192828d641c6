internal import ArgumentParser
internal import StepperConfiguration
internal import StepperLinux
internal import StepperText

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Play a recording and print the changes of the controls.",
    discussion: """
      A recording of 'stepperctl record' is played in virtual time with a configuration, by default the one that \
      'stepperctl check' reads. Prints a line for each frame and each deadline with its effects. Needs no daemon. A \
      recording of 'stepperd --record' contains its configuration; --check compares the effects with the recorded ones.
      --real moves a virtual device of the running daemon instead, at the pace of the recording.
      """)

  @Argument(help: "The recording, or - for the standard input.", completion: .file(extensions: ["recording"]))
  var file: String
  @Option(help: "The configuration.", completion: .file(extensions: ["toml"]))
  var config: String?
  @Flag(help: "Print the moments of feedback too.")
  var moments = false
  @Flag(
    help:
      "Compare the effects with those in a recording of 'stepperd --record'; exit with 1 if they differ.")
  var check = false
  @Flag(help: "Move a virtual device of the running daemon.")
  var real = false
  @Option(
    help: "The virtual device that --real moves.", completion: Completions.devices,
    transform: LimitedText.name)
  var device: String?
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !real || device != nil else {
      throw ValidationError("--real needs --device with the name of a virtual device, as --device panel")
    }
    guard real || device == nil else { throw ValidationError("--device needs --real") }
    guard !real || !(check || moments || config != nil) else {
      throw ValidationError(
        "--real plays into the running daemon; it takes neither --config, --check nor --moments")
    }
    guard file != "-" || config != "-" else {
      throw ValidationError("the standard input cannot be both the recording and the configuration")
    }
  }

  func run() throws {
    let input = InputFile(file)
    var (bytes, log) = ([UInt8](), LogReplay?.none)
    // The beginning that does not show yet which kind of file this is.
    var (head, isLog) = (ArraySlice<UInt8>(), Bool?.none)
    try input.read { piece throws(CommandFailure) in
      if log != nil {
        try log?.read(piece)
        return true
      }
      bytes += piece
      guard bytes.count <= RecordingLimit.fileBytes else { return false }
      guard isLog == nil else { return true }
      head += piece
      // The reader of lines refuses a line that is too long.
      guard head.count <= RecordingLimit.lineBytes else { return false }
      isLog = piece.contains(UInt8(ascii: "\n")) ? LogReplay.isBegun(by: &head) : nil
      guard isLog == true else { return true }
      var begun = try LogReplay(self, file: input.name)
      try begun.read(bytes)
      log = begun
      return true
    }
    if var log { return try log.finish() }
    let recording: Recording
    do {
      recording = try Recording.read(bytes, file: input.name, codes: .kernel)
    } catch {
      throw CommandFailure(error.description)
    }
    if recording.isCut { Output.error(LogReplay.cut(input.name)) }
    guard !check else {
      throw CommandFailure("--check is for recordings of 'stepperd --record'", code: .usage)
    }
    if let device { return try play(recording, into: device) }
    let source = ConfigurationArgument(config)
    let complete = try source.complete()
    guard let loaded = complete.configuration else {
      throw ConfigurationArgument.failure(of: complete.problems)
    }
    source.report(complete.leftOut)
    let output = ReplayOutput(hasMoments: moments, isJSON: global.json)
    let replay = RecordingReplay(recording, loaded, codes: .kernel)
    if !replay.uses.contains(where: { $0.device != nil }) {
      Output.error("no [device.NAME] of \(source.name) matches a device of the recording; nothing is played")
    }
    do {
      try replay.play { output.write($0) }
    } catch {
      throw CommandFailure("\(file): \(error.description)")
    }
  }
}
