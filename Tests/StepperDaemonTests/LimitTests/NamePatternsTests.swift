import StepperCore
import StepperDevices
import Testing
@testable import StepperDaemon

@MainActor @Suite struct NamePatternsTests {
  @Test(arguments: [
    (["*"], "volume", true), (["volume"], "volume", true), (["volum"], "volume", false), ([""], "", true),
    ([""], "a", false), ([], "volume", false), (["v*e"], "volume", true), (["v*x"], "volume", false),
    (["x", "vol*"], "volume", true), (["??????"], "volume", true), (["?????"], "volume", false),
    (["*?*?*?*?*?*?*"], "volume", true), (["*?*?*?*?*?*?*?*"], "volume", false), (["**"], "", true),
    (["a.b"], "axb", false), (["V*"], "volume", false), (["*l*l*"], "volume", false),
    (["*u*e"], "volume", true),
  ])
  func `a name fits one of the patterns`(_ patterns: [String], _ name: String, _ fits: Bool) {
    #expect(NamePatterns(patterns).fit(name) == fits)
  }

  /// Of a small alphabet, so that many fit; every case is named by its seed.
  @Test(arguments: (1...20).map { _ in UInt64.random(in: 1 ... .max) })
  func `any pattern fits what the shell's does`(_ seed: UInt64) {
    var random = Xorshift(state: seed)
    func text(of alphabet: String, upTo length: Int) -> String {
      String(
        (0..<Int.random(in: 0...length, using: &random)).map { _ in
          alphabet.randomElement(using: &random) ?? "a"
        })
    }
    for _ in 0..<300 {
      let (pattern, name) = (text(of: "ab?*", upTo: 12), text(of: "ab", upTo: 12))
      #expect(
        NamePatterns([pattern]).fit(name) == glob(pattern, matches: name),
        "seed \(seed): \(pattern) on \(name)")
    }
  }

  @Test func `long names and patterns are matched to their last byte`() {
    let name = String(repeating: "a", count: 63)
    for pattern in [
      name + "b", "?" + name, "*" + name + "b", name + "*b*", String(repeating: "*a", count: 63) + "*b",
    ] {
      #expect(NamePatterns([pattern]).fit(name + "b") == glob(pattern, matches: name + "b"))
      #expect(NamePatterns([pattern]).fit("b" + name) == glob(pattern, matches: "b" + name))
    }
    #expect(!NamePatterns([String(repeating: "a", count: 255)]).fit(name))
    #expect(!NamePatterns([String(repeating: "?", count: 255)]).fit(name))
    #expect(NamePatterns([String(repeating: "*", count: 255)]).fit(name))
  }

  /// As many as a call may have, each as slow as can be for one that tries and goes back.
  @Test func `the worst patterns on the most controls take no time to speak of`() {
    let names = (0..<256).map { String(repeating: "a", count: 60) + "\(1_000 + $0)" }
    let patterns = (0..<64).map { _ in
      "*" + String(repeating: "a*", count: 30) + "b" + String(repeating: "?*", count: 60)
    }
    let start = ContinuousClock.now
    #expect(NamePatterns(patterns).indices(of: names).isEmpty)
    // 4 ms in a release build, a hundred times that here; going back took seconds there.
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}

/// xorshift64: the same numbers for the same seed.
private struct Xorshift: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
