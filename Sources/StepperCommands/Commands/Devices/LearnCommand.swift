internal import ArgumentParser
internal import Glibc
internal import StepperClient
internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import SystemPackage

struct LearnCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn", abstract: "Connect a knob, buttons or a fader to a control by moving them.",
    discussion: """
      Asks for one movement after another, finds the device that was moved, prints the change of the configuration, \
      moves the control on trial, and writes the change; the former file is kept beside the new one. Until then nothing \
      is changed, even if Ctrl-C ends it. An answer is a line: s skips, b goes back, q quits. Needs administrative \
      permission, because it reads the events of devices. Keyboards and mice are watched only with --device.
      """)

  @Argument(help: "The control; created if it does not exist.", completion: Completions.controls)
  var control: String?
  @Option(
    help: ArgumentHelp("Watch this device alone, of any kind.", valueName: "device"),
    completion: Completions.devices, transform: LimitedText.name)
  var device: String?
  @Option(
    help: ArgumentHelp("Change this file instead of that of the daemon.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?
  @Flag(help: "Print the new configuration instead of writing it; questions go to the standard error.")
  var print = false
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    let status = try client.status()
    let target = try ConfigurationTarget(path: config ?? status.configuration ?? standardFile)
    let former = try configuration(of: target)
    let watch = DeviceWatch(client, device: device)
    var session = LearnSession(
      client, watch, Conversation(isJSON: global.json, toStandardError: print))
    if let former, former.daemon.includedFile != nil {
      let isUsed = status.configuration.map(target.isFile) ?? false
      let used = isUsed ? try client.list().map(\.description.control) : []
      session.included = IncludedTables(of: target, former, used: used)
    }
    if let control { try Self.check(control, session.included) }
    if let device { try NamedDevices.check([device], client) }
    // The first reply is an error if the caller is not an administrator.
    _ = try watch.next(timeout: global.timeout.duration)
    let obstacle = print ? nil : target.obstacle
    // Unless the configuration was written, which has another result.
    defer { finish(&session, written: false) }
    do {
      if let obstacle { try offerToPrint(obstacle, &session) }
      try learn(&session, client, target, former, prints: print || obstacle != nil)
    } catch  where error is LearningEnded || error is WentBack {
      session.conversation.note("Nothing was changed.")
      throw ExitCode.failure
    }
  }

  private func learn(
    _ session: inout LearnSession, _ client: StepperClient, _ target: ConfigurationTarget,
    _ former: Configuration?, prints: Bool
  ) throws {
    while true {
      let range = try chooseControl(&session, former)
      try session.readConfigured(of: target)
      do {
        let inputs = try session.learnInputs()
        let proposal = try session.propose(inputs, range, for: target, former)
        let verb = prints ? "Enter prints the configuration." : "Enter writes it to \(target.path)."
        try session.rehearse(
          proposal.configuration, "Move it to see how \(session.control) follows. \(verb)")
        guard !prints else { return printed(proposal.text, &session) }
        return try write(proposal.text, to: target, client, &session)
      } catch is WentBack {
        continue
      }
    }
  }

  // MARK: Before

  /// Offers to continue as with `--print`, because the file cannot be written.
  private func offerToPrint(_ obstacle: String, _ session: inout LearnSession) throws {
    session.conversation.note("\(obstacle).")
    _ = try session.ask(
      "print", "Print the configuration at the end instead of writing it (Enter), or q to end?",
      answers: ["Enter", "q quit"])
  }

  /// The file for a daemon that uses the built-in configuration: that of the system if the socket is the system's, else
  /// the user's.
  private var standardFile: String {
    let address = StepperAddress.candidates(explicit: global.address).first {
      unsafe access($0.path, F_OK) == 0
    }
    let user = address == .system ? nil : ConfigurationArgument.userFile()
    return user ?? ConfigurationArgument.systemFile
  }

  private func configuration(of target: ConfigurationTarget) throws(CommandFailure) -> Configuration? {
    guard let bytes = target.bytes else { return nil }
    return try ConfigurationArgument.load(
      bytes, file: target.path, heading: ["\(target.path) has errors, which must be corrected first"])
  }

  private static func check(_ name: String, _ included: IncludedTables) throws(CommandFailure) {
    let limit = ConfigurationLimit.nameBytes
    guard isTableName(name, with: "."), name.utf8.count <= limit else {
      throw CommandFailure(
        "'\(name)' cannot be the name of a control: a name has at most \(limit) characters, which are lower-case letters, digits, '.', '-' and '_'",
        code: .usage)
    }
    try included.refuse(name)
  }

  /// Asks for the control, and for the range of a new one.
  private func chooseControl(
    _ session: inout LearnSession, _ former: Configuration?
  ) throws -> LearnPlan.NewRange? {
    while true {
      let name: String
      if let control { name = control } else { name = try askControl(&session, former) }
      session.control = name
      if let known = former?.controls.first(where: { $0.settings.name == name }) {
        session.kind = known.settings.kind
        return nil
      }
      session.kind = .continuous
      if former == nil, let range = Self.builtInRange(of: name) {
        session.conversation.note(
          "\(name) is in the built-in configuration; the new file has it with the same range, \(range.minimum) to \(range.maximum)."
        )
        return range
      }
      session.conversation.note("\(name) does not exist yet and is created.")
      if former == nil {
        let names = Self.builtIn.map(\.settings.name).joined(separator: ", ")
        session.conversation.note(
          "The new file takes the place of the built-in configuration, whose control \(names) is lost; 'learn \(names)' brings it back."
        )
      }
      do { return try askRange(&session) } catch is WentBack where control == nil { continue }
    }
  }

  private func askControl(_ session: inout LearnSession, _ former: Configuration?) throws -> String {
    let known = former?.controls.map(\.settings.name) ?? []
    let standard = known.first ?? "volume"
    let list = known.isEmpty ? "" : " There are: \(known.prefix(20).joined(separator: ", "))."
    while true {
      let answer = try session.ask(
        "control", "Which control?\(list) [\(standard)]", answers: ["a name", "q quit"])
      let name = if case .text(let text) = answer { text } else { standard }
      do {
        try Self.check(name, session.included)
        return name
      } catch {
        session.conversation.note("\(error.lines.first ?? "").")
      }
    }
  }

  /// The controls of the built-in configuration, which the new file replaces.
  private static var builtIn: [ControlConfiguration] {
    let builtIn = ConfigurationArgument.check(Array(Configuration.embeddedText.utf8), file: "")
    return builtIn.configuration?.controls ?? []
  }

  /// The range of a control of the built-in configuration.
  private static func builtInRange(of name: String) -> LearnPlan.NewRange? {
    guard let settings = builtIn.first(where: { $0.settings.name == name })?.settings,
      let minimum = settings.minimumValue, let maximum = settings.maximumValue
    else { return nil }
    return LearnPlan.NewRange(minimum: minimum, maximum: maximum, step: settings.stepValue)
  }

  private func askRange(_ session: inout LearnSession) throws -> LearnPlan.NewRange {
    while true {
      var range = LearnPlan.NewRange()
      range.minimum = try session.askNumber("minimum", "The minimum?", standard: range.minimum)
      do {
        range.maximum = try session.askNumber("maximum", "The maximum?", standard: range.maximum)
        range.step = try session.askNumber("step", "The change for one click or press?", standard: range.step)
      } catch is WentBack {
        continue
      }
      guard range.minimum < range.maximum, range.step > 0 else {
        session.conversation.note("The minimum must be less than the maximum, and the step greater than 0.")
        continue
      }
      guard let problem = try LearnPlan.problem(of: range) else { return range }
      session.conversation.note("A control cannot have these: \(problem).")
    }
  }

  // MARK: After

  private func printed(_ text: [UInt8], _ session: inout LearnSession) {
    session.conversation.line("")
    if !global.json { Output.write(text, to: .output) }
  }

  private func write(
    _ text: [UInt8], to target: ConfigurationTarget, _ client: StepperClient, _ session: inout LearnSession
  ) throws {
    guard text != target.bytes else { return session.conversation.note("Nothing had to be changed.") }
    let backup: String?
    do throws(CommandFailure) { backup = try target.write(text) } catch {
      // The learned configuration is printed, so that it is not lost.
      printed(text, &session)
      throw error
    }
    // The file is written, whatever happens from here on.
    defer { finish(&session, written: true, file: target.path, backup: backup) }
    let former = backup.map { "; the former file is \($0)" } ?? ""
    session.conversation.note("Written to \(target.path)\(former).")
    let used = try client.status().configuration
    if config == nil || used.map(target.isFile) == true {
      try reload(client, target, backup, &session)
      try session.confirm()
    } else {
      session.conversation.note(
        "The daemon uses \(used ?? "the built-in configuration"), so it is not affected.")
    }
  }

  /// Restores the former configuration if the daemon refuses the new one.
  private func reload(
    _ client: StepperClient, _ target: ConfigurationTarget, _ backup: String?, _ session: inout LearnSession
  ) throws(StepperClientError) {
    do throws(StepperClientError) {
      try client.reload()
    } catch {
      if error.code == .configurationInvalid {
        do throws(Errno) {
          try target.restore(from: backup)
          session.conversation.note("The daemon refuses it; the former configuration is restored.")
          finish(&session, written: false)
        } catch let failure {
          let former = backup.map { "; it is \($0)" } ?? ""
          session.conversation.note(
            "The daemon refuses it, and the former configuration cannot be restored\(former): \(failure)")
        }
      }
      throw error
    }
  }

  private func finish(
    _ session: inout LearnSession, written: Bool, file: String? = nil, backup: String? = nil
  ) {
    session.conversation.end(["backup": backup, "file": file, "type": "result", "written": written])
  }
}
