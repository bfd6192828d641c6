import StepperBridge
import Testing

/// A bridge in virtual time as text: `TIME INPUT -> EFFECTS`, or `TIME -> EFFECTS` for what becomes due then. Everything
/// else that would become due is a failure. Writes are done at once, but in lines with `slow` before them.
///
/// Inputs: `connect SIDE TERMS`, `terms SIDE TERMS`, `SIDE VALUE`, `edit`, `rest`, `done SIDE`, `overtaken SIDE`,
/// `unanswered SIDE`, `refused SIDE`, `lost SIDE`, `resumed SIDE`, where TERMS are `LOW…HIGH ±ROUNDING`, with `±?` if that is
/// not known, or `LOW…HIGH /STEPS` for so many even steps. Effects: `SIDE VALUE`, `clamped SIDE VALUE`, with commas between.
func play(_ text: String, at location: SourceLocation = #_sourceLocation) {
  play(BridgeRules(), text, at: location)
}

func play(_ rules: BridgeRules, _ text: String, at location: SourceLocation = #_sourceLocation) {
  var bridge = Bridge(rules)
  let begin = Bridge.Instant.now
  func instant(_ milliseconds: Int) -> Bridge.Instant { begin.advanced(by: .milliseconds(milliseconds)) }
  for line in text.split(separator: "\n") {
    let halves = line.split(separator: "->", omittingEmptySubsequences: false).map {
      $0.split(separator: " ")
    }
    var words = halves[0]
    guard let time = words.first.flatMap({ Int($0) }) else {
      Issue.record("no time in \(line)", sourceLocation: location)
      return
    }
    words.removeFirst()
    let isSlow = words.first == "slow"
    if isSlow { words.removeFirst() }
    var found: [BridgeEffect] = []
    // What is due before the line is only expected where the line has no input.
    while let deadline = bridge.deadline, deadline < instant(time) {
      found += perform(bridge.advance(to: deadline), isSlow)
      if !found.isEmpty { Issue.record("before \(line): \(found)", sourceLocation: location) }
    }
    found += perform(bridge.advance(to: instant(time)), isSlow)
    if !words.isEmpty {
      guard let input = BridgeInput(words) else {
        Issue.record("not understood: \(line)", sourceLocation: location)
        return
      }
      found += perform(bridge.advance(to: instant(time), applying: input), isSlow)
    }
    let expected = halves.count > 1 ? halves[1].joined(separator: " ") : ""
    #expect(found.map(\.words).joined(separator: ", ") == expected, "\(line)", sourceLocation: location)
  }

  func perform(_ effects: [BridgeEffect], _ isSlow: Bool) -> [BridgeEffect] {
    guard !isSlow, let last = effects.last(where: { if case .write = $0 { true } else { false } }),
      case .write(let side, _) = last
    else { return effects }
    return effects + bridge.advance(to: begin, applying: .written(side))
      + (effects.count > 1 ? bridge.advance(to: begin, applying: .written(side.other)) : [])
  }
}

extension BridgeInput {
  fileprivate init?(_ words: [Substring]) {
    let side = words.count > 1 ? BridgeSide(rawValue: String(words[1])) : nil
    switch (words[0], side) {
    case ("connect", let side?): self = .connected(side, BridgeTerms(words[2], words[3]))
    case ("terms", let side?): self = .terms(side, BridgeTerms(words[2], words[3]))
    case ("edit", _): self = .editing(true)
    case ("rest", _): self = .editing(false)
    case ("done", let side?): self = .written(side)
    case ("overtaken", let side?): self = .overtaken(side)
    case ("unanswered", let side?): self = .unanswered(side)
    case ("refused", let side?): self = .refused(side)
    case ("lost", let side?): self = .lost(side)
    case ("resumed", let side?): self = .resumed(side)
    default:
      guard let side = BridgeSide(rawValue: String(words[0])) else { return nil }
      self = .value(side, words[1] == "unset" ? nil : Double(words[1]))
    }
  }
}

extension BridgeTerms {
  fileprivate init(_ range: Substring, _ values: Substring) {
    let ends = range.split(separator: "…").compactMap { Double($0) }
    let number = Double(values.dropFirst()) ?? .infinity
    guard values.hasPrefix("/") else {
      self.init(range: ends[0]...ends[1], rounding: number)
      return
    }
    let grid = (0...Int(number)).map { ends[0] + (ends[1] - ends[0]) * Double($0) / number }
    self.init(range: ends[0]...ends[1], grid: grid)
  }
}

extension BridgeEffect {
  fileprivate var words: String {
    switch self {
    case .write(let side, let value): "\(side.rawValue) \(value)"
    case .clamped(let side, let value, _): "clamped \(side.rawValue) \(value)"
    }
  }
}
