import StepperCore

/// `repeat = { delay = "500ms", interval = "100ms" }`, or with `stages`.
extension ConfigurationReader {
  mutating func repeatSchedule(_ section: Section<OptionKey>) -> RepeatSchedule? {
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
    guard case .array(let array) = stages.node else {
      report("must be an array of { from, interval }, found \(stages.node.found)", at: stages.path)
      return nil
    }
    guard !array.elements.isEmpty else {
      report("must not be empty", at: stages.path)
      return nil
    }
    let nodes = elements(stages.node, at: stages.path, upTo: ConfigurationLimit.stages)
    let read = nodes.compactMap { stage($0.node, at: $0.path, range) }
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
