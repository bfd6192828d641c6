import StepperCore
import Testing

@testable import StepperCommands

struct ButtonTests {
  @Test func `the button that was pressed is found`() throws {
    var hand = Hand()
    hand.turn("event3", .dial, clicks: 1)
    hand.press("event5", .volumeUp)
    let button = try #require(hand.observation.button())
    #expect(button.input == WatchedInput("event5", .volumeUp) && button.presses == 1)
    #expect(button.bounces == 0 && !button.isKnob && !button.hasRival)
  }

  @Test func `autorepeat is not a press`() throws {
    var hand = Hand()
    hand.report("event5", [EvdevEvent(.volumeUp, 1)])
    for _ in 0..<5 { hand.report("event5", [EvdevEvent(.volumeUp, 2)]) }
    let button = try #require(hand.observation.button())
    #expect(button.presses == 1 && button.isDown && !button.isKnob)
  }

  @Test func `a button that bounces is one press`() throws {
    var hand = Hand()
    for value in [1, 0, 1, 0, 1].map(Int32.init) {
      hand.report("event5", [EvdevEvent(.volumeUp, value)])
      hand.rest(.milliseconds(2))
    }
    let button = try #require(hand.observation.button())
    #expect(button.bounces == 2 && button.input.usage == .volumeUp)
  }

  @Test func `the keys of a CH55x knob are a knob`() throws {
    var hand = Hand()
    for _ in 0..<10 {
      hand.press("event6", .volumeUp, for: .milliseconds(1))
    }
    let button = try #require(hand.observation.button())
    #expect(button.isKnob && button.presses == 10)
  }

  @Test func `the push of a knob is one of its own buttons`() throws {
    var hand = Hand()
    hand.press("event5", .volumeUp)
    hand.press("event5", .volumeUp)
    hand.press("event3", .button0)
    #expect(try #require(hand.observation.button(preferring: "event3")).input.usage == .button0)
    #expect(try #require(hand.observation.button()).hasRival)
  }

  @Test func `nothing was pressed`() {
    var hand = Hand()
    hand.turn("event3", .dial, clicks: 5)
    hand.report("event5", [EvdevEvent(.volumeUp, 0)])
    #expect(hand.observation.button() == nil)
  }
}
