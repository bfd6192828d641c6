/// Setting and stepping the value, and what it may be.
extension Control {
  /// How many of the steps moved the value.
  @discardableResult
  mutating func move(by count: Int64, size: Int64, origin: Origin) -> Int64 {
    guard let before = value else { return 0 }
    let (target, applied) = stepping.move(before, by: count, size: size)
    assign(target, origin: origin, wrapping: stepping.wraps(before, by: count, size: size))
    // A partial step may snap back.
    return target != before && value == before ? 0 : applied
  }

  /// Steps that a client wants; a toggle flips with each. Returns how many of them counted.
  mutating func step(by count: Int64, _ unit: StepUnit) -> Int64 {
    cause = nil
    if settings.kind == .toggle, let value {
      if !count.isMultiple(of: 2) { assign(1 - value, origin: .client) }
      return count
    }
    return move(by: count, size: unit == .page ? range.page : range.step, origin: .client)
  }

  func multiplied(_ size: Int64, by multiplier: Int64) -> Int64 {
    let (product, overflow) = size.multipliedReportingOverflow(by: multiplier)
    return overflow ? ValueRange.largestMagnitude : min(product, ValueRange.largestMagnitude)
  }

  /// A value that a client wants; returns why not, if it is refused.
  mutating func set(_ request: SetRequest) -> Effect? {
    let id = published.control
    if let sequence = request.ifSequence, sequence != published.sequence {
      return .refuse(id, .changed(sequence: published.sequence))
    }
    if let number = request.value {
      guard request.clamps || holds(number) else { return .refuse(id, .outOfRange(number)) }
    } else if !settings.textRules.canBeUnset {
      return .refuse(id, .unset)
    }
    cause = nil
    set(request.value, origin: .client, isText: request.isText)
    return nil
  }

  /// The value it had before, if it may still have it.
  mutating func restore(_ number: FixedPoint?) {
    if number != nil || settings.textRules.canBeUnset { set(number, origin: .restored) }
  }

  /// Rounded to the control's precision, and clamped unless the bounds are advisory; nil unsets it.
  mutating func set(
    _ number: FixedPoint?, origin: Origin, isText: Bool = false, as moment: Moment? = nil
  ) {
    guard let number else { return assign(nil, origin: origin, as: moment) }
    let units = allowed(range.units(of: number))
    if settings.feel.publishesUnchanged { isToBeToldAgain = true }
    assign(
      isText && settings.feel.snapping != .none ? range.snapped(units) : units, origin: origin, as: moment)
  }

  /// Within the range, unless its bounds are advisory.
  func allowed(_ units: Int64) -> Int64 {
    settings.feel.bounds == .advisory ? units : range.clamp(units)
  }

  mutating func reset(origin: Origin) {
    if origin == .client { cause = nil }
    set(settings.initialValue, origin: origin, as: .reset)
  }

  private func holds(_ number: FixedPoint) -> Bool {
    settings.feel.bounds == .advisory || range.contains(range.units(of: number))
  }

  /// Before a step of a device: what is shown becomes the value where the control works like that, and it
  /// snaps at a press.
  mutating func commitShown(at moment: Feel.Commit) {
    guard let value else { return }
    let feel = settings.feel
    var committed = value
    if feel.commit == .step || feel.commit == moment {
      committed = allowed(range.units(of: settings.shown(range.number(value))))
    }
    if moment == .press, feel.snapping != .none { committed = range.snapped(committed) }
    settle(on: committed)
  }

  /// What the value really is comes to light; there is nothing to feel.
  mutating func settle(on target: Int64) {
    guard target != value else { return }
    (value, origin) = (target, .device)
  }

  /// The change is felt as `moment`, or as what it is.
  mutating func assign(_ target: Int64?, origin: Origin, wrapping: Bool = false, as moment: Moment? = nil) {
    let target = settings.feel.snapping == .always ? target.map(range.snapped) : target
    guard target != value else { return }
    let former = value
    value = target
    self.origin = origin
    spendHolds()
    if let moment { return feel(moment) }
    switch origin {
    case .device: if let former { feelChange(from: former, wrapping: wrapping) }
    case .client: feel(.set)
    case .startup, .restored, .configuration: break
    }
  }

  /// A hold that can go no further ends there and then, whoever moved the value.
  private mutating func spendHolds() {
    guard settings.feel.atLimit == .end, let value else { return }
    for index in holds.indices where !stepping.canMove(value, holds[index].step.direction) {
      holds[index].isSpent = true
    }
  }

  // MARK: Range

  /// Takes other bounds or steps, rounded to the control's precision; false, and nothing changes, if they are
  /// refused. Those of a choice, a toggle and a button are fixed.
  mutating func adjust(_ adjustment: Adjustment) -> Bool {
    guard settings.kind == .continuous else { return false }
    var settings = settings
    let smallest = range.number(1)
    guard adjustment.stepValue ?? smallest >= smallest, adjustment.pageIncrement ?? smallest >= smallest
    else { return false }
    let adjustment = adjustment.mapped { range.number(range.units(of: $0)) }
    settings.stepValue = adjustment.stepValue ?? settings.stepValue
    settings.pageIncrement = adjustment.pageIncrement ?? settings.pageIncrement
    guard settings.moveBounds(adjustment) else { return false }
    let number = value.map(range.number)
    cause = nil
    adopt(settings)
    for index in holds.indices { holds[index].forgetGrowth() }
    let isWhole = adjustment.minimumValue != nil && adjustment.maximumValue != nil
    let clamps = settings.feel.rangeChange == .clamp || settings.feel.rangeChange == .nextSet && isWhole
    if clamps { set(number, origin: .client) }
    return true
  }

  /// Takes new settings. The value is kept as far as the new range allows; a hold goes on if its binding is
  /// still there.
  mutating func reconfigure(_ settings: ControlSettings, id: ControlID, hasBinding: (HoldSource) -> Bool) {
    let number = value.map(range.number)
    let kept = value(under: settings)
    let text = number.map(self.settings.text)
    adopt(settings)
    published.control = id
    value = kept.map { allowed(range.units(of: $0)) }
    // Another choice may have the number of the former one.
    let isAnother = settings.kind == .choice && value.map(range.number).map(self.settings.text) != text
    if isAnother || value.map(range.number) != number { origin = .configuration }
    faders = [:]
    if !settings.isEnabled { release { _ in true } }
    release { !hasBinding($0) }
    if !settings.feel.autorepeat { for index in holds.indices { holds[index].autorepeat = nil } }
  }

  /// What the value is under other settings: the same number, but of a choice the same name, or the initial value if
  /// there is no such name.
  private func value(under settings: ControlSettings) -> FixedPoint? {
    guard let number = value.map(range.number) else {
      return settings.textRules.canBeUnset ? nil : settings.initialValue
    }
    guard settings.kind == .choice, self.settings.kind == .choice else { return number }
    let place = settings.choices.firstIndex(of: self.settings.text(of: number))
    return place.map { FixedPoint(units: Int64($0), digits: 0) } ?? settings.initialValue
  }

  private mutating func adopt(_ settings: ControlSettings) {
    let number = value.map(range.number)
    self.settings = settings.onGrid
    range = ValueRange(self.settings)
    stepping = Stepping(settings.feel, in: range)
    value = number.map(range.units)
  }
}

extension Adjustment {
  fileprivate func mapped(_ change: (FixedPoint) -> FixedPoint) -> Adjustment {
    Adjustment(
      minimumValue: minimumValue.map(change), maximumValue: maximumValue.map(change),
      stepValue: stepValue.map(change), pageIncrement: pageIncrement.map(change))
  }
}

extension ControlSettings {
  /// Both bounds as an adjustment wants them; false if that is refused.
  fileprivate mutating func moveBounds(_ adjustment: Adjustment) -> Bool {
    minimumValue = adjustment.minimumValue ?? minimumValue
    maximumValue = adjustment.maximumValue ?? maximumValue
    guard let minimum = minimumValue, let maximum = maximumValue, minimum > maximum else { return true }
    switch feel.rangeConflict {
    case .refuse: return false
    case .valueIsMinimum: break
    case .minimumWins: maximumValue = minimum
    case .lastWriter:
      if adjustment.maximumValue == nil { maximumValue = minimum } else { minimumValue = maximum }
    }
    return true
  }
}
