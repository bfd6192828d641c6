internal import ArgumentParser
internal import StepperClient
internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import StepperText

/// The change of the configuration, its trial and its confirmation.
extension LearnSession {
  /// The configuration with the change, checked.
  mutating func propose(
    _ inputs: LearnedInputs, _ range: LearnPlan.NewRange?, for target: ConfigurationTarget,
    _ former: Configuration?
  ) throws -> (text: [UInt8], configuration: Configuration) {
    let plan = try LearnPlan(
      control: control, range: range, inputs: inputs, configuration: former, reserved: included.devices,
      watched: watch.devices, every: try watch.everyDevice())
    var editor = try Self.editor(of: target)
    var replaced: [String: [String]] = [:]
    for (key, former) in plan.formerInputs(in: editor) {
      let answer = try ask(
        "former",
        "\(control) has \(key) = \(former.joined(separator: ", ")) already. Use the new input instead (Enter), or both (a)?",
        answers: ["b back", "q quit"])
      if answer != .text("a") { replaced[key] = former }
    }
    // Of a new file every line is new.
    let before = target.bytes == nil ? "" : editor.text
    try plan.apply(to: &editor, replacing: replaced)
    let configuration = try ConfigurationArgument.load(
      editor.bytes, file: target.path,
      heading: ["the configuration would have errors with this change; nothing was written"])
    if let warning = plan.warning { conversation.note(warning) }
    show(LineDifference(from: before, to: editor.text), editor, target)
    return (editor.bytes, configuration)
  }

  /// Finds out which keys the control's table already has. Questions about these are not asked.
  mutating func readConfigured(of target: ConfigurationTarget) throws(CommandFailure) {
    let (editor, table) = (try Self.editor(of: target), ValuePath.root["control"][control])
    configured = Set(["push", "curve"].filter { editor.has(table[$0]) })
  }

  private static func editor(of target: ConfigurationTarget) throws(CommandFailure) -> DocumentEditor {
    let head =
      "# Written by stepperctl learn; see stepperd.toml(5). It takes the place of the built-in configuration.\n"
    do throws(EditRefusal) {
      return try DocumentEditor(target.bytes ?? Array(head.utf8))
    } catch {
      throw CommandFailure("\(target.path): \(error.message)", code: .configuration)
    }
  }

  private mutating func show(
    _ difference: LineDifference, _ editor: DocumentEditor, _ target: ConfigurationTarget
  ) {
    conversation.send([
      "configuration": editor.text, "difference": difference.lines, "file": target.path, "type": "proposal",
    ])
    conversation.line("")
    if difference.lines.isEmpty {
      conversation.line("\(target.path) contains all of this already.")
      return
    }
    conversation.line("\(target.path):")
    for line in difference.lines { conversation.line("  \(line)") }
  }

  // MARK: Trial

  /// Moves the control by the frames of the devices, in this program only, until the user confirms.
  mutating func rehearse(_ configuration: Configuration, _ question: String) throws {
    input.discard()
    conversation.prompt("write", question, answers: ["Enter", "b back", "q quit without a change"])
    var rehearsal = rehearsal(of: configuration)
    while true {
      var hasMoved = false
      let frames = try frames()
      rehearsal?.follow(tables(of: configuration))
      for frame in frames { hasMoved = rehearsal?.play(frame) == true || hasMoved }
      hasMoved = rehearsal?.advance(to: Instant.now) == true || hasMoved
      if let rehearsal {
        conversation.show("  \(control) \(Conversation.bar(rehearsal.position, rehearsal.text))")
        if hasMoved { sendValue(rehearsal.text, rehearsal.position) }
      }
      switch try answer() {
      case .enter?, .text("y")?, .text("yes")?, .text("w")?, .text("write")?: return
      case .back?: throw WentBack()
      case .text(let text)?: noteWrong(text)
      case .skip?, .quit?: throw LearningEnded()
      case nil: break
      }
    }
  }

  /// The devices that are plugged in and that tables of `configuration` match, each with the name of its table.
  private func tables(of configuration: Configuration) -> [(device: RecordedDevice, settingsName: String)] {
    watch.devices.values.sorted { $0.name < $1.name }.compactMap { device in
      configuration.devices.first { $0.matches(device) }.map { (device, $0.settings.name) }
    }
  }

  private func rehearsal(of configuration: Configuration) -> Rehearsal? {
    var rehearsal = Rehearsal(
      control, of: EngineConfiguration(configuration), devices: tables(of: configuration), at: Instant.now)
    // The rehearsal starts at the present value; for a new control, at the initial value.
    if let value = (try? client.get(control))?.value, let number = FixedPoint(nearest: value) {
      rehearsal?.start(at: number)
    }
    return rehearsal
  }

  func sendValue(_ text: String, _ position: Double?) {
    conversation.send(["position": position, "text": text, "type": "value"])
  }

  // MARK: After it was written

  /// Waits until a device moves the control in the daemon.
  mutating func confirm() throws {
    let subscription = try client.subscription(to: [control])
    _ = try subscription.next(timeout: .seconds(5))
    conversation.prompt(
      "confirm", "It is in use. Move it once more to see it; Enter ends.", answers: ["Enter"])
    while true {
      if let state = try subscription.next(timeout: Self.interval), state.origin == .device {
        let text = state.text ?? ControlText.unset
        sendValue(text, nil)
        conversation.note("\(control) is \(text). Done.")
        return
      }
      // The file is already written, so any answer and the end of the input end the wait.
      do { if try answer() != nil { return } } catch { return }
    }
  }
}
