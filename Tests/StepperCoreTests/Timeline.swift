import FoundationEssentials
import StepperCore
import Testing

/// A text file that says what happened when, and what the engine did about it: the rules, readable.
///
/// Lines of settings come first, then `TIME [INPUT] -> EFFECTS`. A line without input is a deadline; it
/// fails if it comes early, late or not at all. Documented in CONTRIBUTING.md.
struct Timeline: CustomTestStringConvertible {
  let name: String
  let configuration: EngineConfiguration
  let moments: [(time: Instant, word: String, input: Input?)]
  let lines: [String]
  /// Whether moments are written down too: a line `moments` above says so.
  let hasMoments: Bool

  var testDescription: String { name }

  static func all() throws -> [Timeline] {
    let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Timelines"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      try Timeline(name: name, text: String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
    }
  }

  init(name: String, text: String) throws {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
    let split = lines.firstIndex { $0.contains("->") } ?? lines.endIndex
    hasMoments = lines[..<split].contains("moments")
    var parser = TimelineParser(
      configuration: try configurationFrom(lines[..<split].filter { $0 != "moments" }))
    self.name = name
    configuration = parser.configuration
    self.lines = Array(lines[split...])
    moments = try lines[split...].map { line in
      let words = line.split(separator: " ")
      let arrow = try #require(words.firstIndex(of: "->"), "no -> in \(line)")
      let input = words[1..<arrow]
      return (
        try duration(words[0]), input.joined(separator: " "),
        input.isEmpty ? nil : try parser.input(Array(input))
      )
    }
  }

  /// Plays it in virtual time and writes down every moment at which something happened; `step` adds wakeups
  /// at which nothing is due.
  func play(wakingEvery step: Duration? = nil) -> [String] {
    var player = Player(configuration, hasMoments: hasMoments)
    for (time, word, input) in moments where input != nil {
      player.wake(until: time, every: step)
      player.note(time, word, player.engine.advance(to: time, applying: input))
    }
    if let last = moments.last { player.wake(until: last.time, every: step) }
    return player.lines
  }

  /// Every input with its instant, as a recording of it would hold them.
  var recording: [(time: Instant, input: Input)] {
    moments.compactMap { moment in moment.input.map { (moment.time, $0) } }
  }
}

/// An engine in virtual time, with the virtual panel connected.
struct Player {
  var engine: Engine
  var lines: [String] = []
  private var nextWakeup: Instant?
  private let hasMoments: Bool

  init(_ configuration: EngineConfiguration, hasMoments: Bool = false) {
    self.hasMoments = hasMoments
    engine = Engine(configuration, at: .milliseconds(0))
    _ = engine.advance(
      to: .milliseconds(0), applying: .deviceAdded(DeviceNumber(0), .virtual(settingsName: "panel")))
  }

  mutating func wake(until time: Instant, every step: Duration?) {
    if let step, nextWakeup == nil { nextWakeup = .milliseconds(0) + step }
    while let next = [engine.deadline, nextWakeup].compactMap(\.self).min(), next <= time {
      note(next, "", engine.advance(to: next))
      if let step, next == nextWakeup { nextWakeup = next + step }
    }
  }

  /// Moments without input and without effects are not worth a line.
  mutating func note(_ time: Instant, _ word: String, _ effects: [Effect]) {
    let effects = hasMoments ? effects : effects.filter { if case .feedback = $0 { false } else { true } }
    guard !(word.isEmpty && effects.isEmpty) else { return }
    let names = engine.ids.count > 1 ? engine.ids.compactMap { engine.adjustedSettings(of: $0)?.name } : []
    let words = [
      "\(time.nanoseconds / 1_000_000)ms", word, "->",
      effects.map { $0.word(names) }.joined(separator: ", "),
    ]
    lines.append(words.filter { !$0.isEmpty }.joined(separator: " "))
  }
}

extension Effect {
  /// The control's name is left out where there is only one.
  fileprivate func word(_ names: [String]) -> String {
    func named(_ id: ControlID) -> String { names.isEmpty ? "" : "\(names[id.index]) " }
    switch self {
    case .publish(let state):
      let limit: [Limit: String] = [.minimum: " minimum", .maximum: " maximum", .both: " fixed"]
      let value = state.value.map { "\($0.normalized)" } ?? "unset"
      return "publish \(named(state.control))\(value)\(limit[state.limit] ?? "")"
        + (state.isEditing ? " editing" : "") + (state.isPressed ? " pressed" : "")
        + (state.isLive ? "" : " dead")
    case .refuse(_, .outOfRange(let value)): return "refuse \(value)"
    case .refuse(_, .changed(let sequence)): return "refuse since \(sequence)"
    case .refuse(_, .unset): return "refuse unset"
    case .refuse(_, .invalidRange): return "refuse range"
    case .refuse(_, .unknownControl): return "refuse control"
    case .adjusted: return "adjusted"
    case .feedback(let feedback):
      return "\(named(feedback.control))\(feedback.moment.rawValue)"
        + (feedback.effect.map { "=\($0.rawValue)" } ?? "")
    case .applied(_, let steps): return "applied \(steps)"
    }
  }
}
