import StepperCommands
import StepperCore
import StepperText
import Testing

@Suite struct TimelineTests {
  @Test(arguments: try Timeline.all())
  func `the engine plays the timeline as written`(_ timeline: Timeline) throws {
    let played = try timeline.play()
    #expect(played == timeline.lines, "\(difference(between: timeline.lines, and: played))")
  }

  /// How often the loop happens to wake up must not show in what the engine does.
  @Test(arguments: try Timeline.all(), [1, 7, 33, 250])
  func `extra wakeups change nothing`(_ timeline: Timeline, every milliseconds: Int64) throws {
    #expect(try timeline.play(wakingEvery: .milliseconds(milliseconds)) == timeline.lines)
  }

  /// A loop that only wakes up for inputs catches up with the same effects in the same order.
  @Test(arguments: try Timeline.all())
  func `waking up late changes nothing`(_ timeline: Timeline) {
    func effects(prompt: Bool) -> [Effect] {
      var engine = Player(timeline.configuration).time.engine
      var effects: [Effect] = []
      for (time, input) in timeline.recording {
        while prompt, let due = engine.deadline, due <= time { effects += engine.advance(to: due) }
        effects += engine.advance(to: time, applying: input)
      }
      return effects
    }
    #expect(effects(prompt: false) == effects(prompt: true))
  }

  @Test func `there is a timeline for every rule`() throws {
    #expect(try Timeline.all().count >= 60)
  }
}

/// What a reader wants to see of two timelines that differ.
private func difference(between written: [String], and played: [String]) -> String {
  let lines = (0..<max(written.count, played.count)).map { index in
    let pair = [written, played].map { index < $0.count ? $0[index] : "nothing" }
    return pair[0] == pair[1] ? "  \(pair[0])" : "! \(pair[0])\n  but played: \(pair[1])"
  }
  return "\n" + lines.joined(separator: "\n")
}
