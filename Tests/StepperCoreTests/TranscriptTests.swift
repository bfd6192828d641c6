import FoundationEssentials
import StepperCore
import StepperText
import TestSupport
import Testing

/// What the engine does and how numbers are written, as a text that is the same on every machine: Scripts/suites/engine
/// compares that of arm64 with this one's.
@Suite struct TranscriptTests {
  /// Where it is written.
  static let path = ProcessInfo.processInfo.environment["STEPPERD_TRANSCRIPT"]

  @Test(.enabled(if: path != nil)) func `what the engine does is written down`() throws {
    var text = ""
    for part in [
      try Self.timelines(), try Self.numbersOfVectors(), Self.storms(), Self.doubles(), Self.expressions(),
    ] {
      #expect(part.count > 100)
      text += part.joined(separator: "\n") + "\n"
    }
    try text.write(toFile: #require(Self.path), atomically: true, encoding: .utf8)
  }

  private static func timelines() throws -> [String] {
    try Timeline.all().flatMap { try ["timeline \($0.name)"] + $0.play(wakingEvery: .milliseconds(7)) }
  }

  /// Every number of every vector, as a double and as a decimal.
  private static func numbersOfVectors() throws -> [String] {
    try vectorNames().flatMap { name in
      try ["vector \(name)"]
        + vector(name).numbers.map { "\($0) \(FixedPoint(nearest: $0)?.description ?? "no decimal")" }
    }
  }

  /// What the engine does about random inputs: effects, the digest of all that is in them, and values as the socket has them.
  private static func storms() -> [String] {
    Seed.fixed(200).flatMap { seed in
      var storm = Storm(seed: seed)
      var time = VirtualTime(Storm.configuration)
      _ = time.step(.milliseconds(0), "", .deviceAdded(DeviceNumber(0), .virtual(settingsName: "panel")))
      return (0..<200).map { number in
        let (instant, input) = storm.next(jitter: true)
        let step = time.step(instant, "input \(number)", input)
        let values = step.effects.compactMap { effect in
          if case .publish(let state) = effect { state.value?.doubleValue } else { nil }
        }
        return "\(step.line(hasMoments: true) ?? "") | \(EffectDigest.text(step.effects[...])) \(values)"
      }
    }
  }

  /// Doubles of any bits, and what is read from their text.
  private static func doubles() -> [String] {
    var generator = SeededGenerator(Seed.fixed(1)[0])
    return (0..<20_000).map { _ in
      let double = Double(bitPattern: generator.next())
      let text = "\(double)"
      return
        "\(text) \(Double(text).map { $0.bitPattern } ?? 0) \(FixedPoint(nearest: double)?.description ?? "no decimal")"
    }
  }

  /// Expressions in the text of a value, which are computed with doubles.
  private static func expressions() -> [String] {
    var generator = SeededGenerator(Seed.fixed(2)[1])
    func number() -> String {
      FixedPoint(
        units: Int64.random(in: 0...99_999, using: &generator),
        digits: Int.random(in: 0...5, using: &generator)
      ).description
    }
    return (0..<20_000).map { _ in
      let operators = (0..<2).map { _ in ["+", "-", "*", "/", "^"].randomElement(using: &generator) ?? "+" }
      let text = "\(number()) \(operators[0]) \(number()) \(operators[1]) \(number())"
      return "\(text) = \(TextRules.numberBox.read(text, digits: 0))"
    }
  }
}

extension JSON {
  /// Every number in it, in the order of the members' names.
  fileprivate var numbers: [Double] {
    switch self {
    case .number(let number): [number]
    case .array(let elements): elements.flatMap(\.numbers)
    case .object(let members): members.sorted { $0.key < $1.key }.flatMap(\.value.numbers)
    default: []
    }
  }
}
