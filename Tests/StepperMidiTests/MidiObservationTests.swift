import StepperConfiguration
import TestSupport
import Testing
@testable import stepperd_midi

@Suite("What a controller is, by what it sends") struct MidiObservationTests {
  static func kind(of values: [Int]) -> MidiInputs.Kind? {
    var observation = MidiObservation()
    for value in values { if let kind = observation.add(value) { return kind } }
    return nil
  }

  @Test(
    arguments: [
      ([1], nil), ([1, 1], .knob(.complement)), ([127, 127], .knob(.complement)),
      ([1, 127], .knob(.complement)),
      ([2, 1, 3, 127], .knob(.complement)),
      ([65, 65], .knob(.offset)), ([63, 63], .knob(.offset)), ([65, 63, 65], .knob(.offset)),
      ([1, 65], .knob(.sign)), ([65, 1], .knob(.sign)),
      ([1, 2, 1, 3, 2, 1, 2, 1], .knob(.complement)),
      ([127, 0], .button), ([0, 127], .button), ([127], nil),
      ([40, 41, 42, 43], .fader(isFine: false)), ([0, 1, 2, 3], .fader(isFine: false)),
      ([66, 64, 63, 60], .fader(isFine: false)),
      ([40, 40, 41, 40], .fader(isFine: false)),
      ([127, 126, 125, 124, 123, 122], .fader(isFine: false)), ([1, 2, 3, 4], nil),
      ([1, 2, 3, 4, 5, 7], .fader(isFine: false)),
      ([62, 63, 64, 65], .fader(isFine: false)),
    ] as [([Int], MidiInputs.Kind?)])
  func `is found`(values: [Int], expected: MidiInputs.Kind?) {
    #expect(Self.kind(of: values) == expected)
  }

  /// Whatever knob, turned as people turn, is one; and so is whatever fader.
  @Test(arguments: Seed.fresh(20))
  func `a hand on each is told apart`(_ seed: Seed) {
    var random = SeededGenerator(seed)
    for encoding in KnobEncoding.allCases {
      for _ in 0..<50 {
        // Most detents come one by one.
        let counts = (0..<10).map { _ in
          (Int.random(in: 0...5, using: &random) == 0 ? 2 : 1)
            * (Int.random(in: 0...4, using: &random) == 0 ? -1 : 1)
        }
        let values = counts.map { count in
          switch encoding {
          case .complement: count & 127
          case .offset: 64 + count
          case .sign: count > 0 ? count : 64 - count
          }
        }
        guard case .knob? = Self.kind(of: values) else {
          Issue.record("\(encoding): \(values)")
          continue
        }
      }
    }
    for _ in 0..<50 {
      var position = Int.random(in: 0...127, using: &random)
      let way = position < 64 ? 1 : -1
      let values = (0..<8).map { _ in
        defer { position += way * Int.random(in: 1...3, using: &random) }
        return position
      }
      #expect(Self.kind(of: values) == .fader(isFine: false), "\(values)")
    }
  }
}
