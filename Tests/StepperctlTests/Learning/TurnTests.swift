import StepperCore
import StepperText
import Testing

@testable import StepperCommands

/// Ten clicks to the right, as real knobs report them.
struct TurnTests {
  struct Knob: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var usage: EvdevUsage
    var counts: [Int32]
    var clicks = 10
    var detent: Int
    var isInverted = false
    var isClear = true
  }

  static let knobs: [Knob] = [
    Knob(
      testDescription: "KY-040 on the kernel's driver, REL_X", usage: .relative(0), counts: [1], detent: 1),
    Knob(
      testDescription: "wired the other way", usage: .relative(0), counts: [-1], detent: 1, isInverted: true),
    Knob(testDescription: "steps-per-period=2", usage: .dial, counts: [1, 1], detent: 2),
    Knob(testDescription: "steps-per-period=4", usage: .dial, counts: [1, 1, 1, 1], detent: 4),
    Knob(testDescription: "four counts in one frame", usage: .dial, counts: [4], detent: 4),
    Knob(testDescription: "nine clicks of four", usage: .dial, counts: [1, 1, 2], clicks: 9, detent: 4),
    Knob(testDescription: "eleven clicks of two", usage: .dial, counts: [2], clicks: 11, detent: 2),
    Knob(
      testDescription: "seven clicks of four: the groups show it", usage: .dial, counts: [4], clicks: 7,
      detent: 4),
    Knob(testDescription: "Surface Dial", usage: .dial, counts: [1], detent: 1),
    Knob(
      testDescription: "a wheel with 120 counts on its own axis", usage: .dial, counts: [60, 60], detent: 120),
    Knob(testDescription: "a keyboard's dial, REL_HWHEEL", usage: .horizontalWheel, counts: [1], detent: 1),
    Knob(
      testDescription: "PowerMate, half a turn in bundles of up to 7", usage: .dial,
      counts: [3, 7, 1, 6, 2, 7, 5, 7, 6, 3],
      clicks: 1, detent: 1, isClear: false),
  ]

  @Test(arguments: knobs)
  func `the axis, the direction and the counts of a detent are found`(knob: Knob) throws {
    var hand = Hand()
    let pace = knob.clicks == 1 ? Duration.milliseconds(10) : .milliseconds(250)
    hand.turn("event3", knob.usage, clicks: knob.clicks, counts: knob.counts, every: pace)
    let turn = try #require(hand.observation.turn)
    #expect(turn.input == WatchedInput("event3", knob.usage))
    #expect(turn.countsPerDetent == knob.detent)
    #expect(turn.isInverted == knob.isInverted)
    #expect(turn.isClear == knob.isClear)
    #expect(turn.bounces == 0 && turn.rival == nil && !turn.isCounter)
  }

  @Test func `a wheel with high resolution is counted in notches`() throws {
    var hand = Hand()
    for _ in 0..<10 {
      for step in 0..<8 {
        let fine = EvdevEvent(.wheelHighResolution, 15)
        hand.report("event4", step == 7 ? [EvdevEvent(.wheel, 1), fine] : [fine])
        hand.rest(.milliseconds(3))
      }
      hand.rest(.milliseconds(250))
    }
    let turn = try #require(hand.observation.turn)
    #expect(turn.input.usage == .wheel && turn.countsPerDetent == 1 && turn.counts == 10 && turn.isClear)
  }

  @Test func `a wheel that reports high resolution alone is the wheel`() throws {
    var hand = Hand()
    hand.turn("event4", .wheelHighResolution, clicks: 10, counts: [120])
    let turn = try #require(hand.observation.turn)
    #expect(turn.input.usage == .wheel && turn.countsPerDetent == 1)
  }

  @Test func `a bouncing encoder is found, and reported as bouncing`() throws {
    var hand = Hand()
    hand.turn("event3", .dial, clicks: 10, counts: [1, -1, 1])
    let turn = try #require(hand.observation.turn)
    #expect(turn.countsPerDetent == 1 && turn.bounces == 20 && !turn.isInverted)
  }

  @Test func `other devices that move do not matter`() throws {
    var hand = Hand()
    for _ in 0..<10 {
      hand.jitter("event7", .absolute(0), around: 500, span: 3, count: 4)
      hand.jitter("event8", .relative(1), around: -1, span: 2, count: 4)
      hand.turn("event3", .dial, clicks: 1, counts: [1], every: .milliseconds(20))
    }
    let turn = try #require(hand.observation.turn)
    #expect(turn.input.device == "event3" && turn.counts == 10)
  }

  @Test func `what goes back and forth is no turn`() {
    var hand = Hand()
    for _ in 0..<20 { hand.turn("event3", .dial, clicks: 1, counts: [1, -1], every: .milliseconds(100)) }
    #expect(hand.observation.turn == nil)
  }

  @Test func `two clicks are a touch`() {
    var hand = Hand()
    hand.turn("event3", .dial, clicks: 2)
    #expect(hand.observation.turn == nil)
  }

  @Test func `the jog wheel of a Shuttle reports positions`() throws {
    var hand = Hand()
    // The kernel passes over the value 0.
    for value in [250, 251, 252, 253, 254, 255].map(Int32.init) {
      hand.turn("event3", .dial, clicks: 1, counts: [value])
    }
    #expect(try #require(hand.observation.turn).isCounter)
  }

  @Test func `of a SpaceMouse the axis that moved most is taken, and the rival named`() throws {
    var hand = Hand()
    for _ in 0..<20 {
      hand.report(
        "event3", [EvdevEvent(.relative(0), 5), EvdevEvent(.relative(5), 160), EvdevEvent(.relative(4), 90)])
      hand.rest(.milliseconds(16))
    }
    let turn = try #require(hand.observation.turn)
    #expect(turn.rival != nil && !turn.isClear)
  }

  @Test func `extreme counts do not trap`() {
    var hand = Hand()
    for value in [Int32.max, .max, .min, .max] {
      hand.report("e", [EvdevEvent(.dial, value), EvdevEvent(.dial, value)])
      hand.rest(.milliseconds(50))
    }
    _ = hand.observation.turn
  }

  @Test func `what is kept of a flood is bounded`() {
    var hand = Hand()
    for index in 0..<20_000 {
      hand.report("event\(index % 5)", [EvdevEvent(.absolute(UInt16(index % 500)), Int32(index))])
    }
    #expect(hand.observation.traces.count <= LearningLimit.inputs)
    for _ in 0..<10_000 { hand.report("e", [EvdevEvent(.dial, 1)]) }
    #expect(hand.observation.traces.values.allSatisfy { $0.samples.count <= LearningLimit.samples })
  }

  /// What a program calls a detent is one count of the configuration.
  @Test func `counts that are a detent already are not counted again`() throws {
    var knob = device("midi-1")
    knob.countsPerDetent[EvdevUsage.dial.code] = 4
    var hand = Hand(["midi-1": knob])
    hand.turn("midi-1", .dial, clicks: 10, counts: [1, 1, 1, 1])
    let turn = try #require(hand.observation.turn)
    #expect(turn.countsPerDetent == 1 && turn.counts == 10 && turn.isTenClicks)
  }
}
