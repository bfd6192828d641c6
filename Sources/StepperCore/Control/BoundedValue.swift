/// The value of a control, moved within the limits of its range.
struct BoundedValue: Hashable, Sendable {
  private(set) var rules: ControlRules
  private(set) var origin = Origin.startup
  /// The value in units of the range; nil: unset.
  private(set) var units: Int64?

  init(_ settings: ControlSettings) {
    rules = ControlRules(settings)
    units = initialUnits
  }

  /// The settings as configured, and then as adjusted.
  var settings: ControlSettings { rules.settings }
  var number: FixedPoint? { units.map(rules.range.number) }
  var limit: Limit { units.map(rules.range.limit) ?? .none }

  /// Whether a step in this direction leads anywhere; false while unset.
  func canStep(_ direction: Direction) -> Bool {
    units.map { rules.canMove($0, direction) } ?? false
  }

  /// A change of the value, with the moments that it means when an input makes it.
  struct Change {
    /// Up, down or past an end; nil if the value was unset before or is unset now.
    var step: Moment?
    /// The end that the value reached.
    var end: Moment?
  }

  // MARK: Steps

  /// Moves by `count` steps of `size` units. `applied` is the number of steps that moved the value.
  mutating func move(by count: Int64, size: Int64, origin: Origin) -> (change: Change?, applied: Int64) {
    guard let before = units else { return (nil, 0) }
    let (target, applied) = rules.move(before, by: count, size: size)
    let change = assign(target, origin: origin, wraps: rules.wraps(before, by: count, size: size))
    // A partial step may snap back.
    return (change, target != before && change == nil ? 0 : applied)
  }

  /// Makes the steps that a client requests; each step flips a toggle.
  mutating func step(by count: Int64, _ unit: StepUnit) -> (change: Change?, applied: Int64) {
    if rules.settings.kind == .toggle, let units {
      return (count.isMultiple(of: 2) ? nil : assign(1 - units, origin: .client), count)
    }
    return move(by: count, size: unit == .page ? rules.range.page : rules.range.step, origin: .client)
  }

  mutating func goToLimit(_ direction: Direction, origin: Origin) -> Change? {
    guard let end = direction == .increment ? rules.range.maximum : rules.range.minimum else { return nil }
    return assign(rules.range.clamp(end), origin: origin)
  }

  /// Before a step of an input, replaces the value by the shown value if the control commits at this moment; at a
  /// press the value may also snap. Gives no feedback.
  mutating func commitShown(at moment: Feel.Commit, origin: Origin) {
    guard let units else { return }
    var committed = units
    if rules.feel.commit == .step || rules.feel.commit == moment {
      committed = allowed(rules.range.units(of: settings.shown(rules.range.number(units))))
    }
    if moment == .press, rules.feel.snapping != .none { committed = rules.range.snapped(committed) }
    settle(on: committed, origin: origin)
  }

  /// Moves to the nearest multiple of the step. Gives no feedback.
  mutating func snap(origin: Origin) {
    if let units { settle(on: rules.range.snapped(units), origin: origin) }
  }

  private mutating func settle(on target: Int64, origin: Origin) {
    if target != units { (units, self.origin) = (target, origin) }
  }

  /// Moves to the next value in this direction, and from either end to the other.
  mutating func cycle(_ direction: Direction, origin: Origin) -> Change? {
    guard let units, let lower = rules.range.minimum, let upper = rules.range.maximum else { return nil }
    let target = units + direction.rawValue
    guard target < lower || target > upper else { return assign(target, origin: origin) }
    return assign(target < lower ? upper : lower, origin: origin, wraps: true)
  }

  // MARK: Setting

  /// Whether ``reset(origin:)`` changes nothing.
  var isInitial: Bool { units == initialUnits }

  mutating func reset(origin: Origin) -> Change? { assign(initialUnits, origin: origin) }

  private var initialUnits: Int64? { settings.initialValue.map(held) }

  /// A number as the control holds it.
  private func held(_ number: FixedPoint) -> Int64 {
    let units = allowed(rules.range.units(of: number))
    return rules.feel.snapping == .always ? rules.range.snapped(units) : units
  }

  /// Sets the value, rounded to the control's precision and clamped unless the bounds are advisory; nil unsets it.
  mutating func set(_ number: FixedPoint?, origin: Origin, isText: Bool = false) -> Change? {
    let units = number.map { allowed(rules.range.units(of: $0)) }
    return assign(
      isText && rules.feel.snapping != .none ? units.map(rules.range.snapped) : units, origin: origin)
  }

  /// Sets the value to `second` if it is `first`, else to `first`.
  mutating func toggle(_ first: FixedPoint, _ second: FixedPoint, origin: Origin) -> Change? {
    set(units == held(first) ? second : first, origin: origin)
  }

  mutating func assign(_ target: Int64?, origin: Origin, wraps: Bool = false) -> Change? {
    let target = rules.feel.snapping == .always ? target.map(rules.range.snapped) : target
    guard target != units else { return nil }
    let former = units
    (units, self.origin) = (target, origin)
    guard let target, let former else { return Change() }
    let (limit, before) = (rules.range.limit(of: target), rules.range.limit(of: former))
    let end: Moment? =
      switch limit {
      case .minimum where before != .minimum: .minimum
      case .maximum where before != .maximum: .maximum
      default: nil
      }
    return Change(step: wraps ? .wrap : target > former ? .increment : .decrement, end: end)
  }

  /// Why a client's value is refused; nil: it is accepted.
  func refusal(of request: SetRequest) -> Effect.Refusal? {
    guard let number = request.value else { return settings.textRules.canBeUnset ? nil : .unset }
    let units = rules.range.units(of: number)
    // A number of this magnitude was cut off, so the range does not hold it.
    let isHeld =
      abs(units) < ValueRange.largestMagnitude
      && (rules.feel.bounds == .advisory || rules.range.contains(units))
    return request.clamps || isHeld ? nil : .outOfRange(number)
  }

  /// `units` limited to the range, unless the bounds are advisory.
  private func allowed(_ units: Int64) -> Int64 {
    rules.feel.bounds == .advisory ? units : rules.range.clamp(units)
  }

  // MARK: Settings

  /// Changes the bounds or steps, which may leave the value outside the range; if they are refused, returns false and
  /// changes nothing.
  mutating func adjust(_ adjustment: Adjustment) -> Bool {
    guard let settings = rules.ungridded.adjusted(by: adjustment, in: rules.range) else { return false }
    adopt(settings)
    return true
  }

  /// Takes new settings. The value is kept as far as they allow: the same number, or for a choice the same name. It
  /// becomes the initial value if there is no such name, or if the kind differs.
  mutating func reconfigure(_ settings: ControlSettings) {
    let (former, number) = (self.settings, number)
    adopt(settings)
    var kept = number
    if number == nil, !settings.textRules.canBeUnset { kept = settings.initialValue }
    if let number, settings.kind == .choice, former.kind == .choice {
      let place = settings.choices.firstIndex(of: former.text(of: number))
      kept = place.map { FixedPoint(units: Int64($0), digits: 0) } ?? settings.initialValue
    }
    let isAnotherKind = settings.kind != former.kind
    if isAnotherKind { kept = settings.initialValue }
    units = kept.map(held)
    // Another choice may now have the number of the former choice.
    let isAnotherName =
      settings.kind == .choice && self.number.map(self.settings.text) != number.map(former.text)
    if isAnotherKind {
      origin = .startup
    } else if isAnotherName || self.number != number {
      origin = .configuration
    }
  }

  private mutating func adopt(_ settings: ControlSettings) {
    let number = number
    rules = ControlRules(settings)
    units = number.map(rules.range.units)
  }
}
