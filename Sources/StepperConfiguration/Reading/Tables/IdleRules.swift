import StepperCore

extension Section<ControlKey> {
  /// Warns of what is done only when the control becomes idle, if it never does.
  func warnOfIdle(_ settings: ControlSettings, _ options: Section<OptionKey>) {
    guard settings.feel.resetAfter == nil else { return }
    var values = [self[.onIdle]].compactMap(\.self)
    if let feedback = options[.feedback], case .table = feedback.node {
      values += feedback.entries().filter {
        $0.key.isExactly(Moment.idle.rawValue) && !$0.value.node.isText(FeedbackEffect.none.rawValue)
      }.map(\.value)
    }
    for value in values {
      value.report("never happens: the control has no reset-after", .key, severity: .warning)
    }
  }
}
