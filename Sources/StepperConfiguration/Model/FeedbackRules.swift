package import StepperCore

/// The effect of each moment of a control.
///
/// The defaults follow the reference controls: a light impact on each change, a stronger one at an end, and no effect
/// for changes that do not come from a device.
package struct FeedbackRules: Hashable, Sendable {
  private var effects: [Moment: FeedbackEffect] = [
    .increment: .light, .decrement: .light, .limit: .rigid, .minimum: .medium, .maximum: .medium,
    .wrap: .medium, .doublePress: .medium, .triplePress: .medium,
    .longPress: .heavy, .reset: .success,
  ]

  /// No effect for any moment.
  static let silent: FeedbackRules = {
    var rules = FeedbackRules()
    rules.effects = [:]
    return rules
  }()

  package subscript(moment: Moment) -> FeedbackEffect {
    get { effects[moment] ?? .none }
    set { effects[moment] = newValue == .none ? nil : newValue }
  }

  /// As the configuration would write it.
  var text: String {
    guard !effects.isEmpty else { return "false" }
    let pairs = Moment.allCases.filter { self[$0] != .none }.map {
      "\($0.rawValue) = \(quoted(self[$0].rawValue))"
    }
    return "{ \(pairs.joined(separator: ", ")) }"
  }
}
