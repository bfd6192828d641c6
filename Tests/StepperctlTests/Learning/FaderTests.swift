import StepperCore
import StepperText
import Testing

@testable import StepperCommands

struct FaderTests {
  private let board: [String: RecordedDevice] = [
    "event2": device(
      "event2", usages: [.absolute(0), .absolute(1)],
      axes: [RecordedAxis(.absolute(0), 0...1023, at: 0), RecordedAxis(.absolute(1), 0...1023, at: 0)]),
    "event9": device("event9", usages: [.absolute(0)], axes: [RecordedAxis(.absolute(0), -512...512, at: 0)]),
  ]

  @Test func `the ends and the noise of a fader are measured`() throws {
    var hand = Hand()
    hand.slide("event2", .absolute(0), through: [12, 1003, 12, 1003, 700])
    hand.jitter("event2", .absolute(0), around: 699, span: 2)
    let fader = try #require(hand.observation.fader(of: board))
    #expect(fader.input == WatchedInput("event2", .absolute(0)))
    #expect(fader.sweeps == 3 && fader.noise == 2 && fader.hysteresis == 3)
    let travel = try #require(fader.travel)
    #expect((13...40).contains(travel.lowerBound) && (980...1002).contains(travel.upperBound))
    #expect(!fader.restsInMiddle && (0.65...0.75).contains(fader.rest))
  }

  @Test func `a fader that reaches what its driver says needs no calibration`() throws {
    var hand = Hand()
    hand.slide("event2", .absolute(0), through: [0, 1023, 0, 1023])
    hand.rest(.seconds(1))
    let fader = try #require(hand.observation.fader(of: board))
    #expect(fader.travel == nil && fader.noise == 0 && fader.hysteresis == 0 && fader.rest > 0.98)
  }

  @Test func `a noisy neighbour and an accelerometer are no fader`() throws {
    var hand = Hand()
    for stop in [Int32(1003), 12, 1003] {
      hand.jitter("event2", .absolute(1), around: 300, span: 25, count: 5)
      hand.jitter("event9", .absolute(0), around: -60, span: 120, count: 5)
      hand.slide("event2", .absolute(0), through: [stop == 12 ? 1003 : 12, stop])
    }
    let fader = try #require(hand.observation.fader(of: board))
    #expect(fader.input.usage == .absolute(0) && fader.input.device == "event2" && fader.rival == nil)
  }

  @Test func `two that move alike are rivals`() throws {
    var hand = Hand()
    hand.slide("event2", .absolute(0), through: [12, 1003, 12, 1003])
    hand.slide("event2", .absolute(1), through: [12, 1003, 12, 1003])
    #expect(try #require(hand.observation.fader(of: board)).rival != nil)
  }

  @Test func `a stick returns to its middle`() throws {
    var hand = Hand()
    hand.slide("event2", .absolute(0), through: [512, 5, 1018, 5, 1018, 520])
    hand.jitter("event2", .absolute(0), around: 519, span: 1)
    let fader = try #require(hand.observation.fader(of: board))
    #expect(fader.restsInMiddle && (8...40).contains(fader.deadZone))
  }

  @Test func `a short movement is none`() {
    var hand = Hand()
    hand.slide("event2", .absolute(0), through: [500, 600, 500, 600])
    #expect(hand.observation.fader(of: board) == nil)
  }

  @Test func `an axis with the whole range of its type does not trap`() {
    var hand = Hand()
    let wide = ["w": device("w", axes: [RecordedAxis(.absolute(0), .min ... .max, at: 0)])]
    for _ in 0..<4 {
      hand.report("w", [EvdevEvent(.absolute(0), .min)])
      hand.report("w", [EvdevEvent(.absolute(0), .max)])
    }
    let fader = hand.observation.fader(of: wide)
    #expect(fader?.travel == nil)
    _ = fader?.deadZone
  }
}
