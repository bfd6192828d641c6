internal import CLinux
internal import StepperCore
internal import SystemPackage

/// An output that can be switched on for a time. No method waits.
protocol PulseOutput {
  /// The node of the device, or the light.
  var name: String { get }
  /// Whether a pulse ends automatically, without ``end()``.
  var endsByItself: Bool { get }
  /// Switches the output on, or restarts the pulse if it is on.
  mutating func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) throws(Errno)
  /// Switches the output off, if it is on.
  mutating func end() throws(Errno)
}

/// `EV_SND`: on until it is switched off.
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
