import StepperCore
import TestSupport
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

  /// Of a small alphabet, so that many fit.
  @Test(arguments: Seed.fresh(20))
  func `any pattern fits what the shell's does`(seed: Seed) {
    var random = SeededGenerator(seed)
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
        "\(pattern) on \(name)")
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

  /// Each as slow as can be for one that tries and goes back, whose time doubles with each character.
  @Test func `the time for the worst patterns grows as the product of the lengths`() {
    let names = (0..<256).map { String(repeating: "a", count: 60) + "\(1_000 + $0)" }
    func time(_ length: Int) -> Duration {
      let pattern =
        "*" + String(repeating: "a*", count: length) + "b" + String(repeating: "?*", count: 2 * length)
      let patterns = NamePatterns(Array(repeating: pattern, count: 64))
      let start = processorTime()
      #expect(patterns.indices(of: names).isEmpty)
      return processorTime() - start
    }
    #expect(time(30) < time(10) * 20)
  }
}
