package import StepperCore

/// `[link.NAME]`: the target whose value a control is kept equal with. The program stepperd-link does this; the daemon
/// only checks the table.
package struct LinkConfiguration: Hashable, Sendable {
  package var name: String
  /// The name of the control.
  package var control: String
  /// The name of a toggle that is kept equal with the mute of ``target``.
  package var mute: String?
  package var target: LinkTarget
  /// The side whose value is used when the two sides are connected.
  package var start = Start.outside
  /// The highest value that is used when the two sides are connected; a higher one is lowered.
  package var startAtMost: FixedPoint?
  /// The maximum number of writes per second.
  package var rate = 50
  package var curve: Curve
  /// The instance of stepperd-link that keeps the link.
  package var scope: Scope

  package enum Start: String, CaseIterable, Hashable, Sendable {
    case control, outside
  }

  /// The curve from the raw values of an outside to what people hear or see.
  package enum Curve: String, CaseIterable, Hashable, Sendable {
    /// The raw values unchanged.
    case raw
    /// The curve of alsamixer: cubic in decibels.
    case mapped
    /// As the eye's: the square of the control's place is the light.
    case perceptual
  }

  package enum Scope: String, CaseIterable, Hashable, Sendable {
    /// The instance of the machine, which runs from boot on.
    case board
    /// The instance of a logged-in user.
    case session
  }
}

/// The outside of a link.
package enum LinkTarget: Hashable, Sendable {
  /// A sink of PulseAudio or PipeWire by its name, or `@DEFAULT_SINK@`.
  case pulse(sink: String)
  /// An element of an ALSA mixer, by the names of the card and the element.
  case alsa(card: String, element: String)
  /// A backlight by its name in `/sys/class/backlight`.
  case backlight(String)
  /// An LED by its name in `/sys/class/leds`.
  case led(String)
  /// A program with its arguments.
  case command([String])

  /// The kind of target, without its name.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case pulse, alsa, backlight, led, command
  }

  /// The kind, and the names or the command.
  package var parts: (kind: Kind, words: [String]) {
    switch self {
    case .pulse(let sink): (.pulse, [sink])
    case .alsa(let card, let element): (.alsa, [card, element])
    case .backlight(let name): (.backlight, [name])
    case .led(let name): (.led, [name])
    case .command(let words): (.command, words)
    }
  }

  package var kind: Kind { parts.kind }

  /// The target with these ``parts``; nil if the kind has another number of words.
  package init?(_ kind: Kind, _ words: [String]) {
    switch (kind, words.count) {
    case (.pulse, 1): self = .pulse(sink: words[0])
    case (.alsa, 2): self = .alsa(card: words[0], element: words[1])
    case (.backlight, 1): self = .backlight(words[0])
    case (.led, 1): self = .led(words[0])
    case (.command, 1...): self = .command(words)
    default: return nil
    }
  }
}

extension LinkTarget: CustomStringConvertible {
  /// The target as the configuration writes it; for a command, its program.
  package var description: String {
    let (kind, words) = parts
    return kind == .command ? words.first ?? "" : "\(kind.rawValue):\(words.joined(separator: "/"))"
  }
}

extension LinkTarget.Kind {
  package var hasMute: Bool { self == .pulse || self == .alsa }

  /// The curves that this kind of target can have, the default first.
  package var curves: [LinkConfiguration.Curve] {
    switch self {
    case .pulse, .command: [.raw]
    case .alsa: [.mapped, .raw]
    case .backlight, .led: [.perceptual, .raw]
    }
  }

  /// Whether the target may have values beyond the range that is mapped to the control's range.
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
