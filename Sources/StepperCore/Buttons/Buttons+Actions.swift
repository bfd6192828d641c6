// The immediate effects of a button on the value.
extension Buttons {
  mutating func perform(_ action: PushActions.Action, on target: inout ControlledValue) {
    switch action {
    case .none: break
    case .reset:
      note(target.set(target.rules.settings.initialValue, origin: target.origin), as: .reset, on: &target)
    case .toggle(let first, let second):
      note(target.value.toggle(first, second, origin: target.origin), on: &target)
    case .pageMode: togglePageMode()
    case .set(let number): note(target.set(number, origin: target.origin), on: &target)
    case .step(let direction, let unit): step(direction, unit, on: &target)
    case .cycle(let direction):
      let origin = target.origin
      move(on: &target) { $0.cycle(direction, origin: origin) }
    }
  }

  /// Makes one step, by the rules of a button that does not repeat.
  private mutating func step(_ direction: Direction, _ unit: StepUnit, on target: inout ControlledValue) {
    guard target.value.units != nil else { return }
    guard target.canPress(direction) else { return target.feedback.add(.limit) }
    let (range, isKey) = (target.rules.range, target.rules.feel.snapping == .key)
    let origin = target.origin
    target.value.commitShown(at: .press, origin: origin)
    move(on: &target) { value in
      if unit == .limit { return value.goToLimit(direction, origin: origin) }
      let size = unit == .page ? range.page : range.step
      return value.move(by: direction.rawValue, size: size, origin: origin).change
    }
    if isKey { target.value.snap(origin: origin) }
  }

  /// Moves the value; at an end that changes nothing.
  private mutating func move(
    on target: inout ControlledValue, _ move: (inout BoundedValue) -> BoundedValue.Change?
  ) {
    guard target.value.units != nil else { return }
    let change = move(&target.value)
    note(change, on: &target)
    guard change == nil else { return }
    target.feedback.add(.limit)
    if target.rules.feel.atLimit == .fire { target.publication.force() }
  }
}
