internal import StepperBridge
internal import StepperConfiguration

/// What is served by a program of its own: a quantity of the target of a link.
struct OutsideProgram: Hashable {
  /// The first argument of such a program.
  static let option = "--outside"

  enum Quantity: String, Hashable { case value, mute }

  let target: LinkTarget
  let quantity: Quantity
  let curve: LinkConfiguration.Curve

  /// The arguments with which this program serves it: ``init(arguments:)``.
  var arguments: [String] {
    let words: [String] =
      switch target {
      case .pulse(let name), .backlight(let name), .led(let name): [name]
      case .alsa(let card, let element): [card, element]
      case .command(let words): words
      }
    return [target.kind.rawValue, quantity.rawValue, curve.rawValue] + words
  }

  init(_ target: LinkTarget, _ quantity: Quantity, _ curve: LinkConfiguration.Curve) {
    (self.target, self.quantity, self.curve) = (target, quantity, curve)
  }

  /// nil: nothing is served with these arguments.
  init?(arguments: [String]) {
    guard arguments.count > 3, let kind = LinkTarget.Kind(rawValue: arguments[0]),
      let quantity = Quantity(rawValue: arguments[1]),
      let curve = LinkConfiguration.Curve(rawValue: arguments[2])
    else { return nil }
    let words = Array(arguments.dropFirst(3))
    switch kind {
    case .pulse: target = .pulse(sink: words[0])
    case .alsa where words.count == 2: target = .alsa(card: words[0], element: words[1])
    case .alsa: return nil
    case .backlight: target = .backlight(words[0])
    case .led: target = .led(words[0])
    case .command: target = .command(words)
    }
    (self.quantity, self.curve) = (quantity, curve)
  }

  /// Whether it is a program of the configuration, which reads and writes values only.
  var isCoprocess: Bool { target.kind == .command }

  /// In messages.
  var name: String {
    switch target {
    case .alsa(let card, _): "the mixer of \(card)"
    case .command(let words): words.first ?? ""
    default: "\(target)"
    }
  }

  /// The values of a coprocess are those of the control.
  var scale: BridgeScale { isCoprocess ? .same : .spread }
}
