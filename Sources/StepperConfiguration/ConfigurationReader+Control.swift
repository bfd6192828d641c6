import StepperCore

/// `[control.NAME]`.
extension ConfigurationReader {
  mutating func control(
    named name: String, _ node: DocumentNode, at path: ValuePath, _ devices: [DeviceConfiguration]
  ) -> ControlConfiguration? {
    guard let section = section(node, at: path, of: ControlKey.self) else { return nil }
    var settings = ControlSettings(name: name)
    readRange(section, into: &settings)
    settings.wraps = boolean(section, .wraps) ?? settings.wraps
    settings.autorepeat = boolean(section, .autorepeat) ?? settings.autorepeat
    settings.isContinuous = boolean(section, .continuous) ?? settings.isContinuous
    settings.isEnabled = boolean(section, .enabled) ?? settings.isEnabled
    if let schedule = repeatSchedule(section) { settings.repeatSchedule = schedule }
    if settings.wraps, settings.minimumValue == nil || settings.maximumValue == nil {
      report("only a control with a minimum and a maximum can wrap", at: section.path(of: .wraps))
    }
    settings.bindings = bindings(section, settings, devices)
    settings.digits = digits(section, settings)
    var control = ControlConfiguration(settings: settings)
    control.title = text(section, .title)
    control.unit = text(section, .unit, upTo: 32)
    control.restores = boolean(section, .restore) ?? control.restores
    if let access = word(section, .writableBy, of: ControlConfiguration.Access.self) {
      control.writableBy = access
    }
    return control
  }

  // MARK: Numbers

  private mutating func readRange(_ section: Section<ControlKey>, into settings: inout ControlSettings) {
    settings.minimumValue = bound(section, .minimum, default: settings.minimumValue)
    settings.maximumValue = bound(section, .maximum, default: settings.maximumValue)
    if let minimum = settings.minimumValue, let maximum = settings.maximumValue, minimum > maximum {
      let key: ControlKey = section[.minimum] == nil ? .maximum : .minimum
      report("the minimum \(minimum) is greater than the maximum \(maximum)", at: section.path(of: key))
    }
    if let step = positive(section, .step) { settings.stepValue = step }
    settings.pageIncrement = positive(section, .page) ?? settings.stepValue.multiplied(by: 10)
    let lowest = settings.minimumValue
    let highest = settings.maximumValue
    if let initial = decimal(section, .initial) {
      settings.initialValue = initial
      if lowest.map({ initial < $0 }) ?? false || highest.map({ initial > $0 }) ?? false {
        report(
          "\(initial) is outside the range \(lowest?.description ?? "none")…\(highest?.description ?? "none")",
          at: section.path(of: .initial))
      }
    } else {
      let belowHighest = highest.map { min($0, 0) } ?? 0
      settings.initialValue = lowest.map { max($0, belowHighest) } ?? belowHighest
    }
  }

  /// A number, or "none" for no bound on that side.
  private mutating func bound(
    _ section: Section<ControlKey>, _ key: ControlKey, default value: FixedPoint?
  ) -> FixedPoint? {
    guard let item = section[key] else { return value }
    if case .string("none") = item.node { return nil }
    return decimal(item.node, at: item.path, or: " or \"none\"") ?? value
  }

  private mutating func positive(_ section: Section<ControlKey>, _ key: ControlKey) -> FixedPoint? {
    guard let number = decimal(section, key) else { return nil }
    guard number > 0 else {
      report("must be greater than 0, found \(number)", at: section.path(of: key))
      return nil
    }
    return number
  }

  /// As many as asked for, or as the numbers need; fewer than they need is a mistake.
  private mutating func digits(_ section: Section<ControlKey>, _ settings: ControlSettings) -> Int {
    let numbers =
      [
        settings.minimumValue, settings.maximumValue, settings.stepValue, settings.pageIncrement,
        settings.initialValue,
      ] + settings.bindings.flatMap(\.toggleValues)
    let needed = ControlSettings.digits(showing: numbers)
    let digits = integer(section, .digits, in: 0...Int64(FixedPoint.maximumDigits)) ?? needed
    if digits < needed {
      report(
        "is \(digits), but the numbers of this control have \(needed) decimal places",
        at: section.path(of: .digits))
    }
    let largest = numbers.compactMap { $0?.rescaled(to: digits).units.magnitude }.max() ?? 0
    if largest > Self.mostUnits {
      report(
        "the numbers have more than eighteen digits in all, with \(digits) of them behind the point",
        at: section.path)
    }
    return digits
  }

  // MARK: Repeat

  private mutating func repeatSchedule(_ section: Section<ControlKey>) -> RepeatSchedule? {
    guard let item = section[.repeat] else { return nil }
    guard let table = self.section(item.node, at: item.path, of: RepeatKey.self) else { return nil }
    let range = RepeatSchedule.shortestInterval ... .seconds(60)
    let delay = duration(table, .delay, in: range)
    let interval = duration(table, .interval, in: range)
    guard let stages = table[.stages] else {
      if delay == nil, table[.delay] == nil { report("needs \"delay\"", at: item.path) }
      if interval == nil, table[.interval] == nil {
        report("needs \"interval\" or \"stages\"", at: item.path)
      }
      guard let delay, let interval else { return nil }
      return RepeatSchedule(delay: delay, interval: interval)
    }
    if table[.interval] != nil { report("either \"interval\" or \"stages\", not both", at: item.path) }
    guard case .array(let nodes) = stages.node, !nodes.isEmpty else {
      report("must be an array of { from, interval }, found \(stages.node.found)", at: stages.path)
      return nil
    }
    let read = nodes.enumerated().compactMap { stage($0.element, at: stages.path[$0.offset], range) }
    if delay == nil, table[.delay] == nil { report("needs \"delay\"", at: item.path) }
    guard let delay, read.count == nodes.count else { return nil }
    return RepeatSchedule(delay: delay, stages: read)
  }

  private mutating func stage(
    _ node: DocumentNode, at path: ValuePath, _ range: ClosedRange<Duration>
  ) -> RepeatSchedule.Stage? {
    guard let table = section(node, at: path, of: StageKey.self) else { return nil }
    let from = duration(table, .from, in: .zero ... .seconds(3_600))
    let interval = duration(table, .interval, in: range)
    if table[.interval] == nil { report("needs \"interval\"", at: path) }
    guard let interval else { return nil }
    return RepeatSchedule.Stage(from: from ?? .zero, interval: interval)
  }
}

extension Binding {
  /// The values that a push button toggles between.
  fileprivate var toggleValues: [FixedPoint?] {
    guard case .push(let actions) = action else { return [] }
    return [actions.short, actions.long].flatMap { action -> [FixedPoint?] in
      if case .toggle(let first, let second) = action { [first, second] } else { [] }
    }
  }
}

extension FixedPoint {
  /// Saturated; what is too large is found by the check of all numbers.
  fileprivate func multiplied(by factor: Int64) -> FixedPoint {
    let (product, overflow) = units.multipliedReportingOverflow(by: factor)
    return FixedPoint(units: overflow ? .max : product, digits: digits)
  }
}
