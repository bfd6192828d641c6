import FoundationEssentials
import Testing

/// What a random test begins with. A failure shows it, with the command that repeats the test with it.
package struct Seed: Hashable, Sendable {
  fileprivate let value: UInt64
  /// The source file of the tests.
  private let file: String

  /// As many seeds as `count`, fresh ones in each run; or the only one that `STEPPERD_TEST_SEED` gives. With
  /// `STEPPERD_FEWER_SEEDS` there are a quarter of them, for the builds of every change, which add up to more.
  package static func fresh(_ count: Int, fileID: String = #fileID) -> [Seed] {
    let file = String(fileID.split(separator: "/").last ?? "")
    if let text = ProcessInfo.processInfo.environment[variable], let value = UInt64(text) {
      return [Seed(value: value, file: file)]
    }
    let isFewer = ProcessInfo.processInfo.environment["STEPPERD_FEWER_SEEDS"] != nil
    return (0..<(isFewer ? (count + 3) / 4 : count)).map { _ in
      Seed(value: .random(in: 0...UInt64.max), file: file)
    }
  }

  /// As many seeds as `count`, the same in each run: for what is compared with another run.
  package static func fixed(_ count: Int, fileID: String = #fileID) -> [Seed] {
    let file = String(fileID.split(separator: "/").last ?? "")
    return (0..<UInt64(count)).map { Seed(value: $0, file: file) }
  }

  private static let variable = "STEPPERD_TEST_SEED"
}

extension Seed: CustomTestStringConvertible {
  package var testDescription: String {
    "\(value), again with: \(Self.variable)=\(value) Scripts/test \(file)"
  }
}

/// Random numbers that are the same for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: Seed) { state = seed.value }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
