import StepperCore
import StepperText

extension ConfigurationValue {
  /// `repeat = { delay = "500ms", interval = "100ms" }`, or with `stages`.
  fileprivate func repeatSchedule() -> RepeatSchedule? {
    guard let table = section(of: RepeatKey.self) else { return nil }
    var times = RepeatKey.standard
    table.read(into: &times)
    guard let stages = table[.stages] else {
      if table[.delay] == nil { report("needs \"delay\"") }
      if table[.interval] == nil { report("needs \"interval\" or \"stages\"") }
      guard let delay = times.delay, let interval = times.interval else { return nil }
      return RepeatSchedule(delay: delay, interval: interval)
    }
    if table[.interval] != nil { report("either \"interval\" or \"stages\", not both") }
    guard case .array(let array) = stages.node else {
      return stages.refuse("must be an array of { from, interval }, found \(stages.node.found)")
    }
    guard !array.elements.isEmpty else { return stages.refuse("must not be empty") }
    let values = stages.elements(upTo: ConfigurationLimit.stages)
    let read = values.compactMap { $0.stage() }
    if table[.delay] == nil { report("needs \"delay\"") }
    guard let delay = times.delay, read.count == values.count else { return nil }
    return RepeatSchedule(delay: delay, stages: read)
  }

  private func stage() -> RepeatSchedule.Stage? {
    guard let table = section(of: StageKey.self) else { return nil }
    var times = StageKey.standard
    table.read(into: &times)
    if table[.interval] == nil { report("needs \"interval\"") }
    return times.interval.map { RepeatSchedule.Stage(from: times.from, interval: $0) }
  }
}

extension Kind<RepeatSchedule> {
  static var schedule: Self {
    Self(type: "table", read: { value, _ in value.repeatSchedule() }, text: \.text)
  }
}

extension RepeatSchedule {
  /// As the configuration would write it.
  fileprivate var text: String {
    let delay = quoted(delay.text)
    guard stages.count > 1, let first = stages.first else {
      return "{ delay = \(delay), interval = \(quoted(stages.first?.interval.text ?? "")) }"
    }
    let texts = stages.map { stage in
      let from = stage == first && stage.from == .zero ? "" : "from = \(quoted(stage.from.text)), "
      return "{ \(from)interval = \(quoted(stage.interval.text)) }"
    }
    return "{ delay = \(delay), stages = [\(texts.joined(separator: ", "))] }"
  }
}
