internal import StepperClient
internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces

/// The outputs of a port: what it shows and moves.
extension MidiDevice {
  /// Whether the device has outputs that tell faders where to be.
  var declaresMotors: Bool { outputs.contains { $0.kind == .position } }

  var outputs: [ProviderInterface.Output] {
    if isMackie { return MackieControl.outputs }
    let all = inputs.entries.sorted { $0.key < $1.key }
    let lights = all.filter { $0.value.kind == .button }.map { input, _ in
      ProviderInterface.Output(name: input.name, kind: .light)
    }
    let motors = all.compactMap { input, entry -> ProviderInterface.Output? in
      guard settings.hasMotors, case .fader = entry.kind else { return nil }
      return .init(name: input.name, kind: .position, axis: entry.code)
    }
    return motors + lights
  }

  /// The daemon has ordered something to be shown or moved.
  mutating func take(_ order: ProviderInterface.Order, at now: Instant) {
    guard order.handle == device.handle else { return }
    if let light = order.light {
      if let ring = MackieControl.ring(light.output, light.brightness), isMackie {
        messages[light.output] = [ring]
      } else if let input = MidiInput(name: light.output) {
        let level = Int((min(max(light.brightness, 0), 1) * 127).rounded())
        messages[light.output] = [input.message(level)]
      }
    } else if let position = order.position, let input = MidiInput(name: position.output) {
      let isFine = inputs.entries[input]?.kind == .fader(isFine: true)
      let travel = Double((isFine ? MidiInputs.fineRange : MidiInputs.range).upperBound)
      moveMotor(
        input, to: Int((min(max(position.position, 0), 1) * travel).rounded()), isFine: isFine, at: now)
    } else if let text = order.text, isMackie {
      let shown = MackieControl.display(text)
      if !shown.isEmpty { messages[text.output] = shown }
    }
  }

  private mutating func moveMotor(_ input: MidiInput, to value: Int, isFine: Bool, at now: Instant) {
    travels[input] = MotorTravel(
      from: positions[input], after: travels[input], to: value, isFine: isFine, at: now)
    positions[input] = value
    messages[input.name] = input.messages(value, isFine: isFine)
  }

  /// Ends travels whose time is over, and reports what a hand has done that was taken for the motor.
  mutating func endTravels(at now: Instant) {
    for (input, travel) in travels where travel.end <= now {
      travels[input] = nil
      guard let entry = inputs.entries[input], case .fader(let isFine) = entry.kind,
        !(entry.touch.map(touches.contains) ?? false),
        let position = travel.leftover(of: Int((isFine ? MidiInputs.fineRange : MidiInputs.range).upperBound))
      else { continue }
      device.add(entry.code, Int64(position), at: now)
    }
  }

  /// When the hand leaves a motor fader of the Mackie protocol, the fader returns to the position that it was last told, unless it is
  /// told its current position.
  mutating func confirm(_ touch: MidiInput, at now: Instant) {
    guard case .note(1, let number) = touch, (104...104 + MackieControl.strips).contains(number) else {
      return
    }
    let fader = MidiInput.bend(channel: number - 103)
    if let position = positions[fader] { moveMotor(fader, to: position, isFine: true, at: now) }
  }

  /// Removes and returns the messages for the port, with the latest ones of each output.
  mutating func takeMessages() -> [MidiMessage] {
    defer { messages = [:] }
    return messages.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  var hasMessages: Bool { !messages.isEmpty }
}

extension MidiInput {
  /// The message that shows `value`, a number of seven bits.
  fileprivate func message(_ value: Int) -> MidiMessage {
    switch self {
    case .controller(let channel, let number): .controller(channel: channel, number: number, value: value)
    case .note(let channel, let number): .note(channel: channel, number: number, velocity: value)
    case .bend(let channel): .bend(channel: channel, value: value << 7)
    }
  }

  /// The messages that move the fader to `value`.
  fileprivate func messages(_ value: Int, isFine: Bool) -> [MidiMessage] {
    switch self {
    case .bend(let channel): [.bend(channel: channel, value: value)]
    case .controller(let channel, let number) where isFine:
      [
        .controller(channel: channel, number: number, value: value >> 7),
        .controller(channel: channel, number: number + 32, value: value & 127),
      ]
    default: [message(value)]
    }
  }
}
