internal import CEvdev
internal import StepperCore
internal import SystemPackage

/// Something that can be on for a while. Nothing here waits.
protocol PulseOutput {
  /// The node or the light.
  var name: String { get }
  /// Whether a pulse is over after its time without ``end()``.
  var endsByItself: Bool { get }
  /// The output goes on, or anew if it is on.
  mutating func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) throws(Errno)
  /// The output goes off; no error if it is.
  mutating func end() throws(Errno)
}

/// `EV_SND`: on until it is told to be off.
struct SoundOutput: PulseOutput {
  let device: EvdevDevice
  let usage: EvdevUsage
  private var isOn = false

  init?(_ kind: OutputKind, of device: EvdevDevice) {
    let codes = [OutputKind.click: SND_CLICK, .tone: SND_TONE, .bell: SND_BELL]
    guard let code = codes[kind], device.has(.sound(code)) else { return nil }
    self.device = device
    usage = .sound(code)
  }

  var name: String { device.node }
  var endsByItself: Bool { false }

  mutating func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) throws(Errno) {
    try device.write(EvdevEvent(usage, usage == .sound(SND_TONE) ? pattern.tone : 1))
    isOn = true
  }

  mutating func end() throws(Errno) {
    guard isOn else { return }
    isOn = false
    try device.write(EvdevEvent(usage, 0))
  }
}
