import StepperCore
import StepperText

extension ConfigurationValue {
  /// `repeat = { delay = "500ms", interval = "100ms" }`, or with `stages`.
  func repeatSchedule() -> RepeatSchedule? {
    guard let table = section(of: RepeatKey.self) else { return nil }
    let range = RepeatSchedule.shortestInterval ... .seconds(60)
    let delay = table[.delay]?.duration(in: range)
    let interval = table[.interval]?.duration(in: range)
    guard let stages = table[.stages] else {
      if table[.delay] == nil { report("needs \"delay\"") }
      if table[.interval] == nil { report("needs \"interval\" or \"stages\"") }
      guard let delay, let interval else { return nil }
      return RepeatSchedule(delay: delay, interval: interval)
    }
    if table[.interval] != nil { report("either \"interval\" or \"stages\", not both") }
    guard case .array(let array) = stages.node else {
      return stages.refuse("must be an array of { from, interval }, found \(stages.node.found)")
    }
    guard !array.elements.isEmpty else { return stages.refuse("must not be empty") }
    let values = stages.elements(upTo: ConfigurationLimit.stages)
    let read = values.compactMap { $0.stage(range) }
    if table[.delay] == nil { report("needs \"delay\"") }
    guard let delay, read.count == values.count else { return nil }
    return RepeatSchedule(delay: delay, stages: read)
  }

  private func stage(_ range: ClosedRange<Duration>) -> RepeatSchedule.Stage? {
    guard let table = section(of: StageKey.self) else { return nil }
    let from = table[.from]?.duration(in: .zero ... .seconds(3_600))
    let interval = table[.interval]?.duration(in: range)
    if table[.interval] == nil { report("needs \"interval\"") }
    guard let interval else { return nil }
    return RepeatSchedule.Stage(from: from ?? .zero, interval: interval)
  }
}

extension RepeatSchedule {
  /// As the configuration would write it.
  var text: String {
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
