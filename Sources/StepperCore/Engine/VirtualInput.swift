/// The inputs of a virtual device. Each is an ordinary evdev usage, so the engine treats a virtual device like a real
/// one.
package enum VirtualInput: String, CaseIterable, Hashable, Sendable {
  case plus, minus, dial, push, fader

  package var usage: EvdevUsage {
    switch self {
    case .plus: .volumeUp
    case .minus: .volumeDown
    case .dial: .dial
    case .push: .button0
    case .fader: .absoluteVolume
    }
  }

  /// The travel of `fader`, in counts.
  package static let faderRange: ClosedRange<Int32> = 0...1000
}
