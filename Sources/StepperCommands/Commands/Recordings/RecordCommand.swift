internal import ArgumentParser
internal import StepperClient
internal import StepperCore
internal import StepperLinux
internal import StepperText

struct RecordCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record the events of devices in a file, for a bug report or a test.",
    discussion: """
      The file is text: a description of each device, and every frame with its time, but no values of controls. \
      'stepperctl replay' plays it. Without names it records all devices that can be watched, including those that the \
      configuration does not use, except keyboards and mice. Needs administrative permission. Ctrl-C ends the recording; \
      the file is complete up to that time.
      """)

  @Argument(help: "The file, or - for the standard output.", completion: .file(extensions: ["recording"]))
  var file: String
  @Argument(
    help: ArgumentHelp("Devices or patterns (* and ?); defaults to all.", valueName: "device"),
    completion: Completions.devices, transform: LimitedText.name)
  var devices: [String] = []
  @Flag(help: "Record named keyboards and mice too. The file then contains what is typed on them.")
  var keyboards = false
  @Option(help: ArgumentHelp("End after this time: 10s, 2m.", valueName: "time"))
  var time: DurationText?
  @Flag(help: "Replace a file that exists.")
  var force = false
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !keyboards || !devices.isEmpty else {
      throw ValidationError(
        "--keyboards needs the names of the devices, so that no other keyboard is recorded")
    }
  }

  func run(_ client: StepperClient) throws {
    try NamedDevices.check(devices, client)
    let monitor = client.monitor(
      .init(match: devices.isEmpty ? nil : devices, unused: true, keyboards: keyboards))
    let report = reportConnection("; events in between are lost")
    var wasLost = false
    monitor.connectionChanged = { error in
      wasLost = wasLost || error != nil
      report(error)
    }
    // The file is created, and time starts, with the daemon's first reply. Until then there is nothing to complete, so
    // a signal ends the program, even while it waits for the reader of a FIFO.
    guard let first = try Interruption.poll(until: nil, { try monitor.next(timeout: $0) }) else { return }
    let start = Instant.now
    let output = try RecordingOutput(file, replaces: force)
    Interruption.watch()
    var session = RecordingSession(keyboards: keyboards)
    try output.write(session.head(comments) + session.lines(of: first, at: .now))
    announce(session, first)
    var known = session.devices.count
    let end = time.map { start + $0.duration }
    while !session.isFull, let reply = try Interruption.poll(until: end, { try monitor.next(timeout: $0) }) {
      if wasLost { try output.write(session.gap()) }
      wasLost = false
      try output.write(session.lines(of: reply, at: .now))
      for device in session.devices[known...] { Output.error("recording \(device.name) too") }
      known = session.devices.count
      if reply.dropped > 0 {
        Output.error(
          "\(reply.dropped) frames were lost: they came faster than they were read; a line of the file marks the place"
        )
      }
    }
    try output.write([session.end(at: .now)])
    if session.isFull { Output.error("the recording ends here: 'stepperctl replay' can play no longer one") }
    let loss = session.lost > 0 ? ", \(session.lost) frames are missing" : ""
    Output.error("\(session.frames) frames of \(session.devices.count.counted("device"))\(loss)")
  }

  private var comments: [String] {
    let names = devices.isEmpty ? "" : " \(devices.joined(separator: " "))"
    var comments = ["stepperctl \(Product.version) record\(keyboards ? " --keyboards" : "")\(names)"]
    if keyboards { comments.append("This file contains what was typed on the recorded keyboards.") }
    return comments
  }

  /// Prints on the standard error which devices are recorded and which are not.
  private func announce(_ session: RecordingSession, _ reply: DeviceInterface.Monitor.Reply) {
    for device in reply.devices where keyboards || !device.generalPurpose {
      let reason = device.problem.map { ", but it has no events now: \($0)" } ?? ""
      Output.error("recording \(device.device) (\(device.name))\(reason)")
      if device.generalPurpose { Output.error("the file will contain what is typed on \(device.device)") }
    }
    if session.devices.isEmpty {
      Output.error("there is no device to record yet; devices that are plugged in later are recorded")
    }
    let rest = keyboards ? [] : reply.devices.filter(\.generalPurpose).map(\.device)
    let names = rest.isEmpty ? "" : ": \(rest.joined(separator: ", "))"
    if !keyboards { Output.error("keyboards and mice are left out\(names)") }
    Output.error("Ctrl-C ends the recording")
  }
}
