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

  @Test func `long names and patterns are matched to their last byte`() {
    let name = String(repeating: "a", count: 63)
    let patterns: [(pattern: String, endsInB: Bool, beginsWithB: Bool)] = [
      (name + "b", true, false), ("?" + name, false, true), ("*" + name + "b", true, false),
      (name + "*b*", true, false), (String(repeating: "*a", count: 63) + "*b", true, false),
    ]
    for (pattern, endsInB, beginsWithB) in patterns {
      #expect(NamePatterns([pattern]).fit(name + "b") == endsInB)
      #expect(NamePatterns([pattern]).fit("b" + name) == beginsWithB)
    }
    #expect(!NamePatterns([String(repeating: "a", count: 255)]).fit(name))
    #expect(!NamePatterns([String(repeating: "?", count: 255)]).fit(name))
    #expect(NamePatterns([String(repeating: "*", count: 255)]).fit(name))
  }

  /// Each as slow as can be for one that tries and goes back, whose time doubles with each character: it would not end.
  @Test(.timeLimit(.minutes(10))) func `the worst patterns of a client are matched with all names`() {
    let names = (0..<256).map { String(repeating: "a", count: 60) + "\(1_000 + $0)" }
    for pattern in [
      "*" + String(repeating: "a*", count: 60) + "b" + String(repeating: "?*", count: 60),
      "*" + String(repeating: "a", count: 30) + "b",
    ] {
      #expect(NamePatterns(Array(repeating: pattern, count: 64)).indices(of: names).isEmpty)
    }
  }
}
