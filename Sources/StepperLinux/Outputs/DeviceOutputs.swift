package import StepperCore
package import SystemPackage

/// The outputs and lights of one device.
///
/// Calls do not block and effects are not queued: an effect that comes too soon is dropped. A failed output is
/// disabled and replaced by the next in the order of ``OutputKind``; the device remains in use. Call ``advance(to:)``
/// at ``deadline``.
package final class DeviceOutputs {
  private var channels: [OutputKind: Channel] = [:]
  private var allLights: [Light] = []
  /// Whether `EV_FF` is used, if the device has it.
  package let usesForce: Bool
  private let device: EvdevDevice?
  private let memory: ForceMemory?
  private var haptic: HapticHID?
  private let vibrator: Vibrator?
  private let provided: ProvidedOutputs?
  private var problems: [OutputProblem] = []

  /// The outputs of `device` (none if it is open for reading only; `EV_FF` only with `usesForce`), and further
  /// outputs, which need not belong to a device.
  package init(
    of device: EvdevDevice?, usesForce: Bool = true, vibrator: Vibrator? = nil, lights: [LightOutput] = [],
    provided: ProvidedOutputs? = nil
  ) {
    let device = device?.isWritable == true ? device : nil
    self.device = device
    self.usesForce = usesForce
    self.vibrator = vibrator
    self.provided = provided
    memory = usesForce ? device.map(ForceMemory.init) : nil
    allLights = (device.map(Light.all) ?? []) + lights.map(\.light) + (provided?.lights ?? [])
    for kind in OutputKind.allCases {
      if let output = output(kind) { channels[kind] = Channel(output: output) }
    }
    if device != nil, !channels.isEmpty || !allLights.isEmpty { device?.ignoreOutputs() }
  }

  /// Adds haptics that have been opened; other outputs are unchanged.
  package func add(_ haptic: HapticHID) {
    haptic.gain = gain
    self.haptic = haptic
    channels[.haptic] = Channel(output: haptic)
  }

  private func output(_ kind: OutputKind) -> (any PulseOutput)? {
    switch kind {
    case .rumble, .periodic, .constant: memory.flatMap { ForceOutput(kind, in: $0) }
    case .haptic: nil
    case .provider: provided?.effects
    case .vibrator: vibrator
    case .click, .tone, .bell: device.flatMap { SoundOutput(kind, of: $0) }
    case .pulseLED, .led, .classLED: allLights.first { $0.kind == kind && $0.mayFlash }
    }
  }

  /// The working outputs; the first one is the default. Shrinks when an output fails.
  package var kinds: [OutputKind] { OutputKind.allCases.filter { channels[$0] != nil } }

  // MARK: Effects

  /// Plays `effect` on the requested output, or on the first one if the device does not have it.
  ///
  /// Returns the output that plays; nil if there is none, or if it is playing, or has just played, an effect of the
  /// same or a greater strength. A stronger effect replaces the one that is playing.
  @discardableResult
  package func play(_ effect: FeedbackEffect, preferring wanted: OutputKind? = nil, at now: Instant)
    -> OutputKind?
  {
    guard let pattern = EffectPattern(effect) else { return nil }
    let wanted = kinds.filter { $0 == wanted }
    for kind in wanted + kinds {
      // This output may have been disabled when the one before it failed.
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

  /// The start or the end of the next pulse; nil if no pulse is pending.
  package var deadline: Instant? { channels.values.reduce(nil) { .earliest($0, $1.train?.deadline) } }

  /// Starts and ends the pulses that are due.
  package func advance(to now: Instant) {
    for kind in kinds {
      guard let due = channels[kind]?.train?.deadline, due <= now else { continue }
      _ = perform(on: kind) { channel throws(Errno) in
        try channel.perform(channel.train?.advance(to: now) ?? [])
      }
    }
  }

  /// Returns whether `body` succeeded; after a failure the output is disabled.
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

  /// The failures since the last call, each reported once.
  package func takeProblems() -> [OutputProblem] {
    defer { problems = [] }
    return problems
  }

  /// Reports that the haptics have failed after they had begun to play.
  package func failHaptics(_ error: Errno) {
    guard let haptic, channels[.haptic] != nil else { return }
    failed(.haptic, error, name: haptic.name)
  }

  /// A failed upload disables all force feedback, except if the driver does not support the effect; if the device was
  /// removed, all outputs are disabled.
  private func failed(_ kind: OutputKind, _ error: Errno, name: String) {
    problems.append(OutputProblem(kind: kind, error: error, name: name))
    channels[kind] = nil
    for other in kinds where other.isOnDevice && kind.isOnDevice {
      let isForce = kind.isForce && other.isForce && error != .invalidArgument
      if isForce || error == .operationNotSupportedByDevice { channels[other] = nil }
    }
  }

  // MARK: Lights

  /// The names for ``setLight(_:brightness:)``: `LED_MUTE`, `MSC_PULSELED`, `platform::micmute`.
  package var lights: [String] { allLights.map(\.name) }

  /// Sets the brightness of a light, 0…1; a light that can only be on or off is on from one half.
  ///
  /// Only changes are written. Returns whether the light exists.
  @discardableResult
  package func setLight(_ name: String, brightness: Double) -> Bool {
    guard let light = allLights.first(where: { $0.name == name }) else { return false }
    do throws(Errno) {
      try light.set(brightness: brightness)
      return true
    } catch {
      allLights.removeAll { $0 === light }
      if channels[light.kind]?.output as? Light === light { channels[light.kind] = nil }
      problems.append(OutputProblem(kind: light.kind, error: error, name: light.name))
      return false
    }
  }

  // MARK: Strength

  /// Strength of vibration, 0…1; 1 initially. Does not apply to sounds and lights.
  package var gain: Double = 1 {
    didSet {
      gain = gain.isNaN ? 0 : min(max(gain, 0), 1)
      haptic?.gain = gain
      provided?.gain = gain
      guard let kind = kinds.first(where: \.isForce), let memory else { return }
      do throws(Errno) { try memory.setGain(gain) } catch { failed(kind, error, name: memory.device.node) }
    }
  }

  // MARK: Closing

  /// Stops and erases all effects, and restores the lights. Errors are ignored.
  package func close() {
    for kind in kinds where channels[kind]?.train != nil {
      _ = perform(on: kind) { channel throws(Errno) in try channel.output.end() }
    }
    channels = [:]
    for light in allLights { ignoringErrors { () throws(Errno) in try light.restore() } }
    allLights = []
    if let memory { ignoringErrors { () throws(Errno) in try memory.close() } }
    if let vibrator { ignoringErrors { () throws(Errno) in try vibrator.close() } }
    problems = []
  }

  private func ignoringErrors(_ body: () throws(Errno) -> Void) { do throws(Errno) { try body() } catch {} }
}

/// An output with its present or last effect.
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
