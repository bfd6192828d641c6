import FuzzTargets
import TestSupport
import Testing

/// Whatever is fuzzed reads texts from outside: each is given inputs that it knows, with a hostile text in them.
@Suite struct HostileInputTests {
  private static let size = 8_192

  @Test(.timeLimit(.minutes(10)), arguments: FuzzTarget.all.map(\.name))
  func `no input that is kept costs more than its length with a hostile text in it`(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let inputs = try `Fuzz targets`.inputs(in: "Corpus", name).map(\.bytes).filter { $0.count <= 2_048 }
      .sorted { $0.count > $1.count }
    for input in inputs.prefix(3) {
      for place in Self.places(in: input) {
        expectProportionalCost(
          of: "\(name) at \(place)", upTo: Self.size, [.marksInReverse, .manyMarks]
        ) { bytes in
          // What it finds is another test's matter.
          try? target.run(Array(input[..<place]) + bytes + Array(input[place...]))
        }
      }
    }
  }

  /// Behind the first quote and the first space, and in the middle.
  private static func places(in input: [UInt8]) -> Set<Int> {
    let marks = [UInt8(ascii: "\""), UInt8(ascii: " ")].compactMap { input.firstIndex(of: $0).map { $0 + 1 } }
    return Set(marks + [input.count / 2])
  }
}
