import FoundationEssentials
import StepperCommands
import StepperCore
import StepperText
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
    var parser = InputParser(
      try configurationFrom(lines[..<split].filter { $0 != "moments" }), devices: ["panel"],
      codes: timelineCodes)
    self.name = name
    configuration = parser.configuration
    self.lines = Array(lines[split...])
    moments = try lines[split...].map { line in
      let words = line.split(separator: " ")
      let arrow = try #require(words.firstIndex(of: "->"), "no -> in \(line)")
      let input = words[1..<arrow]
      return (
        try TimeText.read(words[0]), input.joined(separator: " "),
        input.isEmpty ? nil : try parser.input(Words(input), configure: configurationFrom)
      )
    }
  }

  /// Plays it in virtual time and writes down every moment at which something happened; `step` adds wakeups
  /// at which nothing is due.
  func play(wakingEvery step: Duration? = nil) throws -> [String] {
    var player = Player(configuration, hasMoments: hasMoments)
    for (time, word, input) in moments where input != nil {
      try player.wake(until: time, every: step)
      player.apply(time, word, input)
    }
    if let last = moments.last { try player.wake(until: last.time, every: step) }
    return player.lines
  }

  /// Every input with its instant, as a recording of it would hold them.
  var recording: [(time: Instant, input: Input)] {
    moments.compactMap { moment in moment.input.map { (moment.time, $0) } }
  }
}

/// An engine in virtual time, with the virtual panel connected.
struct Player {
  var time: VirtualTime
  var lines: [String] = []
  private let hasMoments: Bool

  init(_ configuration: EngineConfiguration, hasMoments: Bool = false) {
    self.hasMoments = hasMoments
    time = VirtualTime(configuration)
    _ = time.step(
      .milliseconds(0), "add panel", .deviceAdded(DeviceNumber(0), .virtual(settingsName: "panel")))
  }

  mutating func wake(until instant: Instant, every period: Duration?) throws {
    var steps: [VirtualTime.Step] = []
    try time.wake(until: instant, every: period) { steps.append($0) }
    for step in steps { note(step) }
  }

  mutating func apply(_ instant: Instant, _ text: String, _ input: Input?) {
    note(time.step(instant, text, input))
  }

  /// Moments without input and without effects are not worth a line.
  private mutating func note(_ step: VirtualTime.Step) {
    if let line = step.line(hasMoments: hasMoments) { lines.append(line) }
  }
}
