import StepperCore

extension ControlSettings {
  /// Warns about hooks and effects for moments that never happen: presses that the control's `push` does not
  /// distinguish, and `idle` of a control that never becomes idle.
  func warnOfMoments(_ own: Section<ControlKey>, _ options: Section<OptionKey>) {
    let pushes = bindings.compactMap { binding in
      if case .push(let actions) = binding.action { actions } else { nil }
    }
    let mostPresses = pushes.map(\.mostPresses).max() ?? 0
    let kinds: [(hook: ControlKey, moment: Moment, isPossible: Bool, needed: String)] = [
      (.onShortPress, .shortPress, mostPresses >= 1, "push"),
      (
        .onDoublePress, .doublePress, mostPresses >= 2,
        kind == .button ? "push with multi-press" : "push"
      ),
      (.onTriplePress, .triplePress, mostPresses >= 3, "push"),
      (
        .onLongPress, .longPress, pushes.contains(where: \.distinguishesLongPress),
        kind == .button ? "push with delay" : "push with an action for long"
      ),
      (.onIdle, .idle, feel.resetAfter != nil, "reset-after"),
    ]
    for kind in kinds where !kind.isPossible {
      for value in [own[kind.hook], options.effect(of: kind.moment)].compactMap(\.self) {
        value.report("never happens: the control has no \(kind.needed)", .key, severity: .warning)
      }
    }
  }
}

extension Section<OptionKey> {
  /// The effect that these options set for a moment; nil if it comes from the profile or is `none`.
  fileprivate func effect(of moment: Moment) -> ConfigurationValue? {
    guard let feedback = self[.feedback], case .table = feedback.node else { return nil }
    return feedback.entries().first {
      $0.key.isExactly(moment.rawValue) && !$0.value.node.isText(FeedbackEffect.none.rawValue)
    }?.value
  }
}
