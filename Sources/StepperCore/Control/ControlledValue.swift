/// The value of a control together with the feedback and the publication that its changes leave pending.
///
/// The parts are accessible separately, because gestures read one while they write another.
struct ControlledValue: Hashable, Sendable {
  var value: BoundedValue
  var feedback = PendingFeedback()
  var publication: Publication

  var rules: ControlRules { value.rules }

  /// The origin of changes that are made by the input acting on the control now.
  var origin: Origin { feedback.owner?.isClient == true ? .client : .device }

  /// Sets the value, and publishes it even if it stays the same where the control's ``Feel/publishesUnchanged`` says
  /// so; see ``BoundedValue/set(_:origin:isText:)``.
  mutating func set(_ number: FixedPoint?, origin: Origin, isText: Bool = false) -> BoundedValue.Change? {
    if number != nil, rules.feel.publishesUnchanged { publication.force() }
    return value.set(number, origin: origin, isText: isText)
  }

  /// Whether a press in this direction counts as a press.
  func canPress(_ direction: Direction) -> Bool {
    guard value.units != nil, rules.settings.kind != .button else { return false }
    return rules.feel.limitButtons == .live || value.canStep(direction)
  }
}
