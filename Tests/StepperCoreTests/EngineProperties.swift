import StepperCore
import TestSupport
import Testing

/// What no timeline can cover: any inputs in any order.
@Suite struct EngineProperties {
  static let seeds = Seed.fresh(12)

  @Test(arguments: seeds)
  func `the value never leaves its range`(seed: Seed) throws {
    var storm = Storm(seed: seed)
    // Where ranges change, what happens to the value is the control's choice.
    storm.adjusts = false
    var engine = storm.engine()
    for _ in 0..<300 {
      let (time, input) = storm.next()
      // What fires first has the identifiers of the configuration before the input.
      for input in [nil, input] {
        for case .publish(let state) in engine.advance(to: time, applying: input) {
          let settings = try #require(engine.adjustedSettings(of: state.control))
          guard let value = state.value, settings.feel.bounds == .enforced else { continue }
          #expect(settings.minimumValue.map { value >= $0 } ?? true)
          #expect(settings.maximumValue.map { value <= $0 } ?? true)
        }
      }
    }
  }

  @Test(arguments: seeds)
  func `a replay gives the same effects`(seed: Seed) {
    var storm = Storm(seed: seed)
    let recording = (0..<200).map { _ in storm.next() }
    func play() -> [Effect] {
      var engine = storm.engine()
      return recording.flatMap { engine.advance(to: $0.0, applying: $0.1) }
    }
    #expect(play() == play())
  }

  @Test(arguments: seeds)
  func `extra wakeups change nothing, whatever happens`(seed: Seed) {
    var storm = Storm(seed: seed)
    let recording = (0..<200).map { _ in storm.next() }
    var (plain, busy) = (storm.engine(), storm.engine())
    var (expected, seen): ([Effect], [Effect]) = ([], [])
    var last = Instant.milliseconds(0)
    for (time, input) in recording {
      expected += plain.advance(to: time, applying: input)
      while time > last {
        last = min(last + .milliseconds(37), time)
        seen += busy.advance(to: last)
      }
      seen += busy.advance(to: time, applying: input)
    }
    #expect(seen == expected)
  }

  @Test(arguments: seeds)
  func `portions of any size change nothing, whatever happens`(seed: Seed) {
    var storm = Storm(seed: seed)
    let recording = (0..<200).map { _ in storm.next() }
    var (plain, sliced) = (storm.engine(), storm.engine())
    var (expected, seen): ([Effect], [Effect]) = ([], [])
    var size: Int64 = 0
    for (time, input) in recording {
      expected += plain.advance(to: time, applying: input)
      while let due = sliced.deadline, due <= time {
        size = size % 3 + 1
        let count = sliced.fire(until: time, atMost: size, into: &seen)
        #expect(count > 0 && sliced.deadline != due, "each portion is progress")
      }
      seen += sliced.advance(to: time, applying: input)
      #expect(sliced == plain)
    }
    #expect(seen == expected)
  }

  @Test(arguments: seeds)
  func `what is explained is what happens`(seed: Seed) throws {
    var storm = Storm(seed: seed)
    var engine = storm.engine()
    for _ in 0..<300 {
      let (time, input) = storm.next()
      let explanations = engine.explanations(of: input, at: time)
      _ = engine.advance(to: time)
      let before = explanations.map { engine[$0.control] }
      _ = engine.advance(to: time, applying: input)
      for (explanation, before) in zip(explanations, before) {
        let settings = try #require(engine.adjustedSettings(of: explanation.control))
        // Others publish what they have at the end of a gesture.
        guard settings.feel.isContinuous else { continue }
        #expect(
          explanation.before == before?.value && explanation.after == engine[explanation.control]?.value)
        // What was held and is lost may have moved the value before the events did.
        if case .resynchronized = input { continue }
        #expect(explanation.outcome == .changed || explanation.before == explanation.after)
      }
    }
  }

  @Test(arguments: seeds)
  func `sequence numbers and times only grow`(seed: Seed) {
    var storm = Storm(seed: seed)
    var engine = storm.engine()
    var (sequence, time) = (Int64(0), Instant.milliseconds(0))
    for _ in 0..<300 {
      // Stamps of devices may be older than the present.
      let (instant, input) = storm.next(jitter: true)
      for case .publish(let state) in engine.advance(to: instant, applying: input) {
        #expect(state.sequence > sequence && state.time >= time)
        (sequence, time) = (state.sequence, state.time)
      }
    }
  }
}
