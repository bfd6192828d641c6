/// The value of a control together with what its changes leave pending: feedback and a publication.
///
/// Its parts are open to the gestures that work on it, which read the one while they write the other.
struct ControlledValue: Hashable, Sendable {
  var value: BoundedValue
  var feedback = PendingFeedback()
  var publication: Publication

  var rules: ControlRules { value.rules }

  /// The origin of the changes that the input makes which acts on the control now.
  var origin: Origin { feedback.owner?.isClient == true ? .client : .device }

  /// Sets the value, which is published even if it stays the same where the control is like that; see ``BoundedValue/set(_:origin:isText:)``.
  mutating func set(_ number: FixedPoint?, origin: Origin, isText: Bool = false) -> BoundedValue.Change? {
    if number != nil, rules.feel.publishesUnchanged { publication.force() }
    return value.set(number, origin: origin, isText: isText)
  }

  /// Whether a press in that direction is one at all.
  func canPress(_ direction: Direction) -> Bool {
    guard value.units != nil, rules.settings.kind != .button else { return false }
    return rules.feel.limitButtons == .live || value.canStep(direction)
  }
}
