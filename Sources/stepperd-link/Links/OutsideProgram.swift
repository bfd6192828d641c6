internal import StepperBridge
internal import StepperConfiguration

/// One quantity of a link's target. A process of its own serves it.
struct OutsideProgram: Hashable {
  /// The first argument of such a process.
  static let option = "--outside"

  enum Quantity: String, Hashable { case value, mute }

  let target: LinkTarget
  let quantity: Quantity
  let curve: LinkConfiguration.Curve

  /// The arguments with which this program serves the quantity: see ``init(arguments:)``.
  var arguments: [String] {
    let (kind, words) = target.parts
    return [kind.rawValue, quantity.rawValue, curve.rawValue] + words
  }

  init(_ target: LinkTarget, _ quantity: Quantity, _ curve: LinkConfiguration.Curve) {
    (self.target, self.quantity, self.curve) = (target, quantity, curve)
  }

  /// nil: the arguments do not name a quantity to serve.
  init?(arguments: [String]) {
    guard arguments.count > 3, let kind = LinkTarget.Kind(rawValue: arguments[0]),
      let quantity = Quantity(rawValue: arguments[1]),
      let curve = LinkConfiguration.Curve(rawValue: arguments[2]),
      let target = LinkTarget(kind, Array(arguments.dropFirst(3)))
    else { return nil }
    self.init(target, quantity, curve)
  }

  /// Whether the process is a program from the configuration, which only reads and writes values.
  var isCoprocess: Bool { target.kind == .command }

  /// The name in messages.
  var name: String {
    if case .alsa(let card, _) = target { "the mixer of \(card)" } else { "\(target)" }
  }

  /// A coprocess has the same values as the control.
  var scale: BridgeScale { isCoprocess ? .same : .spread }
}
