package import StepperCore
internal import SystemPackage

/// What one device can do to be felt, heard and seen.
///
/// Nothing here waits, nothing is queued: an effect that comes too soon is dropped. An output that fails is not
/// used any more, and the next in the order of ``OutputKind`` takes its place; the device goes on. Call
/// ``advance(to:)`` when ``deadline`` has come.
package final class DeviceOutputs {
  private var channels: [OutputKind: Channel] = [:]
  private var lamps: [Lamp] = []
  /// Whether those of `EV_FF` are among them, if the device has any.
  package let usesForce: Bool
  private let device: EvdevDevice?
  private let memory: ForceMemory?
  private var haptic: HapticHID?
  private let vibrator: Vibrator?
  private var problems: [OutputProblem] = []

  /// The outputs of `device`, none if it may only be read and those of `EV_FF` only with `usesForce`, and with them
  /// others that belong to it or to no device at all.
  package init(
    of device: EvdevDevice?, usesForce: Bool = true, haptic: HapticHID? = nil, vibrator: Vibrator? = nil,
    lights: [LightOutput] = []
  ) {
    let device = device?.isWritable == true ? device : nil
    self.device = device
    self.usesForce = usesForce
    self.haptic = haptic
    self.vibrator = vibrator
    memory = usesForce ? device.map(ForceMemory.init) : nil
    lamps = (device.map(Lamp.all) ?? []) + lights.map(\.lamp)
    for kind in OutputKind.allCases {
      if let output = output(kind) { channels[kind] = Channel(output: output) }
    }
    if device != nil, !channels.isEmpty || !lamps.isEmpty { device?.ignoreOutputs() }
  }

  /// Haptics that could not be opened at first; everything else stays as it is.
  package func add(_ haptic: HapticHID) {
    haptic.gain = gain
    self.haptic = haptic
    channels[.haptic] = Channel(output: haptic)
  }

  private func output(_ kind: OutputKind) -> (any PulseOutput)? {
    switch kind {
    case .rumble, .periodic, .constant: memory.flatMap { ForceOutput(kind, in: $0) }
    case .haptic: haptic
    case .vibrator: vibrator
    case .click, .tone, .bell: device.flatMap { SoundOutput(kind, of: $0) }
    case .pulseLED, .led, .classLED: lamps.first { $0.kind == kind && $0.mayFlash }
    }
  }

  /// What effects can be played on, the first is taken if nothing else is wanted. Shrinks when one fails.
  package var kinds: [OutputKind] { OutputKind.allCases.filter { channels[$0] != nil } }

  // MARK: Effects

  /// Plays `effect` on the output that is wanted, or if there is none, on the first there is.
  ///
  /// Returns where; nil if nothing can, and if the output is busy with an effect that is as strong or stronger,
  /// or had one just now. A stronger one takes the place of what is playing.
  @discardableResult
  package func play(_ effect: FeedbackEffect, preferring wanted: OutputKind? = nil, at now: Instant)
    -> OutputKind?
  {
    guard let pattern = EffectPattern(effect) else { return nil }
    let wanted = kinds.filter { $0 == wanted }
    for kind in wanted + kinds {
      // It may have failed together with one before it.
      guard let channel = channels[kind] else { continue }
      guard channel.train?.admits(pattern, at: now) ?? true else { return nil }
      if start(pattern, on: kind, at: now) { return kind }
    }
    return nil
  }

  private func start(_ pattern: EffectPattern, on kind: OutputKind, at now: Instant) -> Bool {
    perform(on: kind) { channel throws(Errno) in
      if let train = channel.train, now < train.quietUntil { try channel.output.end() }
      var train = PulseTrain(pattern, on: kind, endsByItself: channel.output.endsByItself, at: now)
      let steps = train.advance(to: now)
      channel.train = train
      try channel.perform(steps)
    }
  }

  /// When the next pulse begins or ends; nil when nothing is to be done.
  package var deadline: Instant? { channels.values.compactMap { $0.train?.deadline }.min() }

  /// Does what is due.
  package func advance(to now: Instant) {
    for kind in kinds {
      guard let due = channels[kind]?.train?.deadline, due <= now else { continue }
      _ = perform(on: kind) { channel throws(Errno) in
        try channel.perform(channel.train?.advance(to: now) ?? [])
      }
    }
  }

  /// Whether `body` went well; if not, the output is not used any more.
  private func perform(on kind: OutputKind, _ body: (inout Channel) throws(Errno) -> Void) -> Bool {
    guard var channel = channels[kind] else { return false }
    do throws(Errno) {
      try body(&channel)
      channels[kind] = channel
      return true
    } catch {
      failed(kind, error, name: channel.output.name)
      return false
    }
  }

  // MARK: Failures

  /// What failed since the last call, each once.
  package func takeProblems() -> [OutputProblem] {
    defer { problems = [] }
    return problems
  }

  /// An error of a driver's upload is one of all force feedback, but for what the driver does not know; and
  /// with the device gone, nothing of it is left.
  private func failed(_ kind: OutputKind, _ error: Errno, name: String) {
    problems.append(OutputProblem(kind: kind, error: error, name: name))
    channels[kind] = nil
    for other in kinds where other.isOnDevice && kind.isOnDevice {
      let isForce = kind.isForce && other.isForce && error != .invalidArgument
      if isForce || error == .operationNotSupportedByDevice { channels[other] = nil }
    }
  }

  // MARK: Lights

  /// The names that ``setLight(_:brightness:)`` knows: `LED_MUTE`, `MSC_PULSELED`, `platform::micmute`.
  package var lights: [String] { lamps.map(\.name) }

  /// Lets a light follow a value: `brightness` is 0…1, and one that can only be on or off is on from one half.
  ///
  /// Only changes are written. Returns whether there is such a light.
  @discardableResult
  package func setLight(_ name: String, brightness: Double) -> Bool {
    guard let lamp = lamps.first(where: { $0.name == name }) else { return false }
    do throws(Errno) {
      try lamp.set(brightness: brightness)
      return true
    } catch {
      lamps.removeAll { $0 === lamp }
      if channels[lamp.kind]?.output as? Lamp === lamp { channels[lamp.kind] = nil }
      problems.append(OutputProblem(kind: lamp.kind, error: error, name: lamp.name))
      return false
    }
  }

  // MARK: Strength

  /// How strong what is felt is, 0…1; 1 at first. Sounds and lights are as they are.
  package var gain: Double = 1 {
    didSet {
      gain = gain.isNaN ? 0 : min(max(gain, 0), 1)
      haptic?.gain = gain
      guard let kind = kinds.first(where: \.isForce), let memory else { return }
      do throws(Errno) { try memory.setGain(gain) } catch { failed(kind, error, name: memory.device.node) }
    }
  }

  // MARK: The end

  /// Ends what plays, erases the effects, leaves the lights as they were found. Errors mean nothing any more.
  package func close() {
    for kind in kinds where channels[kind]?.train != nil {
      _ = perform(on: kind) { channel throws(Errno) in try channel.output.end() }
    }
    channels = [:]
    for lamp in lamps { ignoringErrors { () throws(Errno) in try lamp.restore() } }
    lamps = []
    if let memory { ignoringErrors { () throws(Errno) in try memory.close() } }
    if let vibrator { ignoringErrors { () throws(Errno) in try vibrator.close() } }
    problems = []
  }

  private func ignoringErrors(_ body: () throws(Errno) -> Void) { do throws(Errno) { try body() } catch {} }
}

/// An output with the effect that it plays, or played last.
private struct Channel {
  var output: any PulseOutput
  var train: PulseTrain?

  mutating func perform(_ steps: [PulseTrain.Step]) throws(Errno) {
    guard let pattern = train?.pattern else { return }
    for step in steps {
      switch step {
      case .begin(let pulse): try output.begin(pulse, of: pattern)
      case .end: try output.end()
      }
    }
  }
}
