import StepperCore

extension FuzzTarget {
  /// Two configurations, as far as the reader of the file lets them through, and then inputs with their times.
  static let engine = FuzzTarget("engine", upTo: 1_024, within: .milliseconds(3_000)) { input in
    var source = ByteSource(input)
    let device = source.deviceSettings()
    let first = (0...source.index(below: 3)).map { source.controlSettings(named: "c\($0)") }
    var second = first
    if source.flag() { second[0] = source.controlSettings(named: "c0") }
    if source.flag() { second.reverse() }
    if source.flag() { second.removeLast() }
    if source.flag() { second.append(source.controlSettings(named: "d")) }
    let configurations = [
      EngineConfiguration(controls: first, devices: [device], idleAfter: .seconds(1)),
      EngineConfiguration(controls: second, devices: source.flag() ? [device] : []),
    ]
    try EngineRun.check(configurations, source)
  }
}

extension ByteSource {
  fileprivate mutating func deviceSettings() -> DeviceSettings {
    var settings = DeviceSettings(name: "panel")
    let flags = byte()
    settings.isInverted = flags & 1 != 0
    if flags & 2 != 0 { settings.countsPerDetent = 1 + Int(integer().magnitude % 100_000) }
    if flags & 4 != 0 {
      settings.acceleration = AccelerationCurve(
        maximumGain: Double(byte()), slow: Double(byte()), fast: Double(byte()))
    }
    if flags & 8 != 0 {
      var axis = AxisSettings()
      axis.isInverted = flag()
      axis.deadZone = max(eventValue(), 0)
      axis.hysteresis = max(eventValue(), 0)
      let ends = [eventValue(), eventValue()].map { max($0, -Int32.max) }
      if ends[0] != ends[1] { axis.travel = min(ends[0], ends[1])...max(ends[0], ends[1]) }
      settings.axes[EvdevUsage.absoluteVolume.code] = axis
    }
    return settings
  }

  fileprivate mutating func controlSettings(named name: String) -> ControlSettings {
    var settings = ControlSettings(name: name)
    settings.isEnabled = byte() < 240
    settings.textRules.canBeUnset = flag()
    settings.feel = feel()
    let kinds: [ControlKind] = [
      .continuous, .continuous, .continuous, .continuous, .choice, .toggle, .button,
    ]
    settings.kind = element(of: kinds) ?? .continuous
    switch settings.kind {
    case .continuous: setNumbers(&settings)
    case .choice:
      settings.choices = (0...index(below: 4)).map { "word \($0)" }
      settings.setWords(settings.choices.count)
    case .toggle, .button: settings.setWords(2)
    }
    if settings.kind == .button { settings.textRules.canBeUnset = false }
    settings.fitTogether()
    setInitial(&settings)
    settings.bindings = bindings(for: settings)
    return settings
  }

  /// Numbers of one precision, of at most eighteen digits in all.
  private mutating func setNumbers(_ settings: inout ControlSettings) {
    let digits = index(below: 10)
    settings.precision = digits
    settings.digits = index(below: digits + 1)
    if flag() { settings.feel.significantDigits = 1 + index(below: 18) }
    let most = Int64(FixedPoint.mostUnits)
    var number: FixedPoint { FixedPoint(units: min(max(integer(), -most), most), digits: digits) }
    let ends = [number, number]
    settings.minimumValue = flag() ? nil : min(ends[0], ends[1])
    settings.maximumValue = flag() ? nil : max(ends[0], ends[1])
    let one = FixedPoint(units: 1, digits: digits)
    settings.stepValue = max(number, one)
    settings.pageIncrement = max(number, one)
    if flag() { settings.feel.climb.rate = max(number, 0) }
    settings.feel.climb.every = 1 + index(below: 200)
    settings.feel.climb.after = index(below: 200)
  }

  private mutating func setInitial(_ settings: inout ControlSettings) {
    let number = FixedPoint(units: Int64(byte()) - 128, digits: settings.precision)
    let isUnset = flag() && settings.textRules.canBeUnset
    let fitting = settings.feel.bounds == .advisory ? number : settings.nearest(to: number)
    settings.initialValue = isUnset ? nil : fitting
  }

  private mutating func feel() -> Feel {
    var feel = Feel()
    let flags = byte()
    feel.autorepeat = flags & 1 == 0
    feel.wraps = flags & 2 != 0
    feel.isContinuous = flags & 4 == 0
    feel.publishesUnchanged = flags & 8 != 0
    if flags & 16 != 0 { feel.repeatSchedule = repeatSchedule() }
    if flags & 32 != 0 {
      feel.firstStep = word(Feel.FirstStep.self, or: .press)
      feel.singleStep = word(Feel.StepMoment.self, or: .press)
      feel.limitStep = word(Feel.StepMoment.self, or: .press)
      feel.secondPress = word(Feel.SecondPress.self, or: .ignore)
      feel.lostRelease = word(Feel.LostRelease.self, or: .end)
    }
    if flags & 64 != 0 {
      feel.partialStep = word(Feel.PartialStep.self, or: .clamp)
      feel.wrapWhen = word(Feel.WrapWhen.self, or: .exceed)
      feel.wrapLanding = word(Feel.WrapLanding.self, or: .opposite)
      feel.atLimit = word(Feel.AtLimit.self, or: .end)
      feel.limitButtons = word(Feel.LimitButtons.self, or: .off)
      feel.rangeConflict = word(Feel.RangeConflict.self, or: .minimumWins)
      feel.rangeChange = word(Feel.RangeChange.self, or: .clamp)
      feel.bounds = word(Feel.Bounds.self, or: .enforced)
    }
    if flags & 128 != 0 {
      feel.snapping = word(Feel.Snapping.self, or: .none)
      feel.commit = word(Feel.Commit.self, or: .none)
      feel.rounding = word(FixedPoint.Rounding.self, or: .halfAway)
      feel.turns = word(Feel.Turns.self, or: .detents)
      feel.pickup = word(Feel.Pickup.self, or: .jump)
      feel.curve = word(Taper.self, or: .linear)
    }
    if flags & 192 == 192 { feel.resetAfter = .milliseconds(1 + Int64(flags & 31) * 100) }
    return feel
  }

  private mutating func repeatSchedule() -> RepeatSchedule {
    let times: [Duration] = (0..<3).map { _ in
      let scales: [Int64] = [1, 20, 235]
      return .milliseconds(1 + Int64(byte()) * scales[index(below: 3)])
    }
    return RepeatSchedule(
      delay: times[0],
      stages: [
        .init(from: .zero, interval: times[1]),
        .init(from: .milliseconds(Int64(byte()) * 100), interval: times[2]),
      ])
  }

  private mutating func bindings(for settings: ControlSettings) -> [Binding] {
    let flags = byte()
    func input(_ usage: EvdevUsage) -> InputReference { InputReference(device: "panel", usage: usage) }
    func number(_ units: Int64) -> FixedPoint { FixedPoint(units: units, digits: settings.precision) }
    var bindings: [Binding] = []
    let unit: StepUnit = [.step, .page, .limit][Int(flags >> 6) % 3]
    let hasEnds = settings.minimumValue != nil && settings.maximumValue != nil
    if settings.kind != .button {
      bindings.append(Binding(input(.volumeUp), .step(.increment, hasEnds || unit != .limit ? unit : .step)))
      bindings.append(
        Binding(input(.volumeDown), flags & 1 == 0 ? .step(.decrement, .step) : .reset))
      bindings.append(Binding(input(flags & 2 == 0 ? .dial : .wheel), .rotate))
      if hasEnds { bindings.append(Binding(input(.absoluteVolume), .absolute)) }
    }
    if flags & 4 != 0 || settings.kind == .button {
      var push = PushActions(
        short: [.none, .reset, .pageMode, .toggle(number(3), number(7))][Int(flags >> 3) & 3],
        long: flag() ? .set(number(integer() % 1_000)) : .none,
        longPressDelay: .milliseconds(1 + Int64(byte()) * 20))
      let presses = byte()
      if presses & 1 != 0 { (push.double, push.mostPresses) = (.step(.increment, .step), 2) }
      if presses & 2 != 0 { (push.triple, push.mostPresses) = (.step(.decrement, .limit), 3) }
      if presses & 4 != 0 { push.short = settings.kind == .choice ? .cycle(.increment) : .set(number(5)) }
      push.multiPressInterval = .milliseconds(1 + Int64(presses >> 3) * 40)
      if settings.kind == .button { (push.press, push.release) = (.set(1), .set(0)) }
      bindings.append(Binding(input(.button0), .push(push)))
    }
    if flags & 32 != 0 {
      for index in bindings.indices where bindings[index].input.usage != .button0 {
        if flag() { bindings[index].modifier = .button0 }
        bindings[index].multiplier = 1 + Int64(integer().magnitude % 1_000_000)
      }
    }
    if flags & 128 != 0 {
      for index in bindings.indices where flag() {
        let values = (0...self.index(below: 2)).map { _ in FixedPoint(units: Int64(byte() % 3), digits: 0) }
        bindings[index].layer = [LayerCondition(control: "c\(self.index(below: 3))", values: values)]
      }
    }
    return bindings
  }
}

extension ControlSettings {
  fileprivate mutating func setWords(_ count: Int) {
    (minimumValue, maximumValue) = (0, FixedPoint(units: Int64(count) - 1, digits: 0))
    (stepValue, pageIncrement, precision, digits) = (1, 1, 0, 0)
    feel.climb.rate = 0
    feel.bounds = .enforced
    feel.significantDigits = nil
  }

  /// What the reader refuses is left out.
  fileprivate mutating func fitTogether() {
    let hasEnds = minimumValue != nil && maximumValue != nil
    if !hasEnds { feel.wraps = false }
    if minimumValue == nil || feel.bounds == .advisory, feel.partialStep == .grid {
      feel.partialStep = .clamp
    }
    if feel.partialStep == .grid { feel.climb.rate = 0 }
  }
}
