package import StepperCore

/// `[link.NAME]`: what a control is kept equal with. The program stepperd-link does it; the daemon only checks the table.
package struct LinkConfiguration: Hashable, Sendable {
  package var name: String
  /// The name of the control.
  package var control: String
  /// The name of a toggle that is kept equal with the mute of ``target``.
  package var mute: String?
  package var target: LinkTarget
  /// The side whose value counts when the two meet.
  package var start = Start.outside
  /// The highest value that they may meet with.
  package var startAtMost: FixedPoint?
  /// Writes a second.
  package var rate = 50
  package var curve: Curve
  /// Whose program instance keeps it.
  package var scope: Scope

  package enum Start: String, CaseIterable, Hashable, Sendable {
    case control, outside
  }

  /// How the raw values of an outside become what people hear and see.
  package enum Curve: String, CaseIterable, Hashable, Sendable {
    /// As they are.
    case raw
    /// As alsamixer's: cubic in decibels.
    case mapped
    /// As the eye's: the square of the control's place is the light.
    case perceptual
  }

  package enum Scope: String, CaseIterable, Hashable, Sendable {
    /// Of the machine, from boot on.
    case board
    /// Of a user who is logged in.
    case session
  }
}

/// What is outside.
package enum LinkTarget: Hashable, Sendable {
  /// A sink of PulseAudio or PipeWire by its name, or `@DEFAULT_SINK@`.
  case pulse(sink: String)
  /// An element of an ALSA mixer: the name of the card, and that of the element.
  case alsa(card: String, element: String)
  /// By its name in `/sys/class/backlight`.
  case backlight(String)
  /// By its name in `/sys/class/leds`.
  case led(String)
  /// A program with its arguments.
  case command([String])

  /// Without the name of it.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case pulse, alsa, backlight, led, command
  }

  package var kind: Kind {
    switch self {
    case .pulse: .pulse
    case .alsa: .alsa
    case .backlight: .backlight
    case .led: .led
    case .command: .command
    }
  }
}

extension LinkTarget: CustomStringConvertible {
  /// As the configuration writes it; a command is its program.
  package var description: String {
    switch self {
    case .pulse(let sink): "pulse:\(sink)"
    case .alsa(let card, let element): "alsa:\(card)/\(element)"
    case .backlight(let name): "backlight:\(name)"
    case .led(let name): "led:\(name)"
    case .command(let words): words.first ?? ""
    }
  }
}

extension LinkTarget.Kind {
  package var hasMute: Bool { self == .pulse || self == .alsa }

  /// Those that it can have, the usual one first.
  package var curves: [LinkConfiguration.Curve] {
    switch self {
    case .pulse, .command: [.raw]
    case .alsa: [.mapped, .raw]
    case .backlight, .led: [.perceptual, .raw]
    }
  }

  /// Whether it may have values beyond the range that is spread over that of the control.
  package var isOpen: Bool { self == .pulse || self == .command }

  /// Sound servers are per user.
  package var scope: LinkConfiguration.Scope { self == .pulse ? .session : .board }
}

/// The keys of `[link.NAME]`.
enum LinkKey: String, ConfigurationKey {
  case control, mute, to, command, start
  case startAtMost = "start-at-most"
  case rate, curve, scope

  static var standard: LinkConfiguration {
    LinkConfiguration(name: "", control: "", target: .led(""), curve: .raw, scope: .board)
  }

  var key: Key<LinkConfiguration> {
    switch self {
    case .start: Key(\.start, .word)
    case .startAtMost: Key(\.startAtMost, .decimal)
    case .rate: Key(\.rate, .integer(in: 1...1_000))
    // The default depends on the target.
    case .scope: Key { $1.scope = $0.word() ?? $1.scope }
    case .control, .mute, .to, .command, .curve: .other
    }
  }
}
