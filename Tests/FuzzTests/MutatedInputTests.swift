import FuzzTargets
import TestSupport
import Testing

/// A short search for inputs that break a part, in every run of the tests: inputs that are kept, with changes. `make fuzz`
/// searches on, guided by what an input reaches.
@Suite struct MutatedInputTests {
  private static let count = 300

  @Test(.timeLimit(.minutes(10)), arguments: FuzzTarget.all.map(\.name), Seed.fresh(1))
  func `no change of an input that is kept is found to break anything`(name: String, seed: Seed) throws {
    let target = try #require(FuzzTarget.named(name))
    let kept = try `Fuzz targets`.inputs(in: "Corpus", name).map(\.bytes)
    try #require(!kept.isEmpty)
    var generator = SeededGenerator(seed)
    for _ in 0..<Self.count {
      let input = Self.mutated(kept, upTo: target.largestInput, &generator)
      do {
        try target.run(input)
      } catch {
        Issue.record("\(error), with \(input)")
        return
      }
    }
  }

  /// One of the inputs with one to four changes: a byte is another, is left out or put in, a part stands twice, or the rest
  /// is that of another input.
  private static func mutated(
    _ kept: [[UInt8]], upTo length: Int, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var input = kept.randomElement(using: &generator) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0...input.count, using: &generator)
      let end = Int.random(in: place...input.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0 where place < input.count: input[place] = UInt8.random(in: 0...255, using: &generator)
      case 1 where place < input.count: input.remove(at: place)
      case 2: input.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      case 3: input.insert(contentsOf: input[place..<end], at: end)
      default:
        input.replaceSubrange(place..., with: (kept.randomElement(using: &generator) ?? []).dropFirst(place))
      }
    }
    return Array(input.prefix(length))
  }
}
