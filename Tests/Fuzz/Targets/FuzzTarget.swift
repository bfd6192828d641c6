/// Something that is given bytes of anybody's choice, and what must hold whatever they are.
///
/// libFuzzer drives it with inputs that it looks for itself (`Scripts/stress/fuzz`), and the tests with those in
/// `Tests/Fuzz/Corpus` and `Tests/Fuzz/Regressions`.
package struct FuzzTarget: Sendable {
  /// Names its folders: lower-case letters and `-`.
  package let name: String
  /// The most bytes of an input that are worth trying.
  package let largestInput: Int
  /// How long an input may keep the processor busy where everything is instrumented, which takes some twenty times
  /// as long. It tells what takes time out of proportion from what does not.
  package let patience: Duration
  private let body: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, upTo largestInput: Int, within patience: Duration,
    _ body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.largestInput = largestInput
    self.patience = patience
    self.body = body
  }

  /// Throws a ``Finding`` if something does not hold. A trap is a finding too.
  package func run(_ input: [UInt8]) throws { try body(input) }

  package static let all: [FuzzTarget] = [
    .framing, .parameters, .client, .configuration, .options, .state, .engine, .text, .numbers, .lines,
    .formatter, .descriptors, .devices, .recordings, .mqtt, .replies, .requests,
  ]

  package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Something that did not hold.
package struct Finding: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a finding that says `claim` unless `condition` holds.
func require(_ condition: Bool, _ claim: @autoclosure () -> String) throws {
  guard condition else { throw Finding(claim()) }
}
