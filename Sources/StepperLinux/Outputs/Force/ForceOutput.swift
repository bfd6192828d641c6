internal import CLinux
internal import StepperCore
internal import SystemPackage

/// `EV_FF`: effects in the memory of the device, which end automatically after their `replay.length`.
///
/// Several pulses are played separately: drivers differ in whether `replay.delay` is also a pause between
/// repetitions.
struct ForceOutput: PulseOutput {
  let kind: OutputKind
  let memory: ForceMemory
  /// The waveform of periodic effects.
  private let waveform: UInt16
  private var playing: CInt?

  /// Waveforms in order of preference.
  private static let waveforms = [FF_SINE, FF_TRIANGLE, FF_SQUARE]

  init?(_ kind: OutputKind, in memory: ForceMemory) {
    let codes = [OutputKind.rumble: FF_RUMBLE, .periodic: FF_PERIODIC, .constant: FF_CONSTANT]
    guard let code = codes[kind], memory.device.has(.force(code)) else { return nil }
    let waveform = Self.waveforms.first { memory.device.has(.force($0)) }
    guard kind != .periodic || waveform != nil else { return nil }
    self.kind = kind
    self.memory = memory
    self.waveform = UInt16(waveform ?? FF_SINE)
  }

  var name: String { memory.device.node }
  var endsByItself: Bool { true }

  mutating func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) throws(Errno) {
    let milliseconds = UInt16(clamping: pulse.on.milliseconds)
    let effect: ForceEffect =
      switch kind {
      case .periodic:
        .periodic(waveform: waveform, magnitude: pattern.strength, milliseconds: milliseconds)
      case .constant: .constant(level: pattern.strength, milliseconds: milliseconds)
      default: .rumble(strong: pattern.strong, weak: pattern.weak, milliseconds: milliseconds)
      }
    let identifier = try memory.identifier(of: effect)
    try memory.device.write(EvdevEvent(.force(identifier), 1))
    playing = identifier
  }

  /// The effects of a device add up, so a replaced effect must be stopped.
  mutating func end() throws(Errno) {
    guard let identifier = playing else { return }
    playing = nil
    try memory.device.write(EvdevEvent(.force(identifier), 0))
  }
}
