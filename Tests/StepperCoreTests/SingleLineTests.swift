import StepperCore
import StepperText
import TestSupport
import Testing

@Suite struct SingleLineTests {
  @Test(arguments: [
    "", "volume", "Lautstärke 45 %, 音量", "µ Ω ½ “quoted” – dash… 1\u{a0}234\u{202f}567",
    "back\\slash \\n \"'`$",
    "שלום", "مرحبا", "कार्य", "한국어", "ไทย", "👍🏽 🇩🇪 ❤️ 1️⃣ 👩‍🚀 🏳️‍🌈", "می‌خواهم", "क्‍ष", "e\u{301}",
    "葛\u{e0100}", "\u{fffd}",
  ]) func `ordinary text stays as it is`(text: String) { #expect(text.onOneLine() == text) }

  @Test(
    arguments: [
      ("a\nb\r\nc\td", #"a\nb\r\nc\td"#), ("\u{0}\u{1b}[2J\u{7f}", #"\x00\x1b[2J\x7f"#),
      ("\u{85}\u{9b}31m", #"\u{85}\u{9b}31m"#), ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
      (
        "evil\u{202e}txt\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}",
        #"evil\u{202e}txt\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}"#
      ),
      ("\u{feff}vol\u{200b}u\u{ad}me\u{2060}", #"\u{feff}vol\u{200b}u\u{ad}me\u{2060}"#),
      ("a\u{e0041}\u{e007f}\u{e0001}", #"a\u{e0041}\u{e007f}\u{e0001}"#),
      (
        "\u{3164}\u{115f}\u{34f}\u{e000}\u{378}",
        #"\u{3164}\u{115f}\u{34f}\u{e000}\u{378}"#
      ),
    ] as [(String, String)])
  func `what a terminal obeys or hides becomes visible`(text: String, line: String) {
    #expect(text.onOneLine() == line)
  }

  @Test(
    arguments: [
      // Without effect between such letters, they only make two names that look the same.
      ("vol\u{200d}ume", #"vol\u{200d}ume"#), ("ä\u{200c}ö", #"ä\u{200c}ö"#), ("م\u{200c}", #"م\u{200c}"#),
      ("م\u{200c}\u{200c}م", #"م\u{200c}\u{200c}م"#), ("a\u{fe0f}", #"a\u{fe0f}"#),
      ("1\u{fe0f}", #"1\u{fe0f}"#),
      ("❤\u{fe0f}\u{fe0f}", #"❤️\u{fe0f}"#), ("ä\u{e0100}", #"ä\u{e0100}"#), ("\u{fe0f}", #"\u{fe0f}"#),
    ] as [(String, String)])
  func `joiners and variation selectors pass where writing needs them`(text: String, line: String) {
    #expect(text.onOneLine() == line)
  }

  @Test func `marks do not pile up`() {
    let pile = String(String.UnicodeScalarView(["a"] + [Unicode.Scalar](repeating: "\u{301}", count: 100)))
    let line = pile.onOneLine()
    #expect(line.unicodeScalars.count { $0 == "\u{301}" } == 8)
    #expect(line.hasSuffix(#"\u{301}\u{301}"#))
  }

  @Test(
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abc…"), ("äöü", 6, "äöü"), ("äöüß", 6, "ä…"),
      ("ab\u{1b}", 6, #"ab\x1b"#), ("abc\u{1b}", 6, "abc…"), ("音量調整", 9, "音量…"), ("abcd", 0, "…"),
      ("1️⃣", 6, "1…"), ("abc", 0, "abc"),
    ] as [(String, Int, String)])
  func `what is too long is cut between characters, with a mark`(text: String, limit: Int, line: String) {
    #expect(text.onOneLine(limit: limit) == line)
  }

  @Test(arguments: Seed.fresh(1))
  func
    `no text comes out with a scalar that is forbidden, or longer than the limit, or changed by a second pass`(
      seed: Seed
    )
  {
    var random = SeededGenerator(seed)
    for _ in 0..<4_000 {
      let scalars = (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in Self.anyScalar(&random) }
      let text = String(String.UnicodeScalarView(scalars))
      let limit = Bool.random(using: &random) ? Int.max : Int.random(in: 3...80, using: &random)
      let line = text.onOneLine(limit: limit)
      #expect(line.utf8.count <= limit)
      #expect(Self.forbidden(in: line) == [], "from \(scalars)")
      #expect(line.onOneLine(limit: limit) == line, "from \(scalars) at \(limit)")
    }
  }

  @Test func `every scalar of Unicode alone is shown or written out`() {
    for value in UInt32(0)...0x10ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let line = String(scalar).onOneLine()
      let isShown = line.unicodeScalars.elementsEqual([scalar])
      let isGood =
        isShown ? Self.forbidden(in: line) == [] : line.utf8.allSatisfy { (0x20...0x7e).contains($0) }
      // Asked a million times, the expectation itself would take most of the time.
      if !isGood { Issue.record("U+\(String(value, radix: 16)) comes out as \(line)") }
    }
  }

  /// The scalars of `line` that must never come out, by the numbers of the Unicode standard and not by the properties that
  /// the function itself asks for. Joiners and variation selectors pass between others.
  private static func forbidden(in line: String) -> [String] {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1f, 0x7f...0x9f, 0xad...0xad, 0x61c...0x61c, 0x180e...0x180e, 0x200b...0x200b, 0x200e...0x200f,
      0x2028...0x202e, 0x2060...0x206f, 0xd800...0xdfff, 0xe000...0xf8ff, 0xfeff...0xfeff, 0xfff9...0xfffb,
      0xfffe...0xffff, 0x1d173...0x1d17a, 0xe0000...0xe00ff, 0xe01f0...0x10ffff,
    ]
    return line.unicodeScalars.filter { scalar in ranges.contains { $0.contains(scalar.value) } }
      .map { String($0.value, radix: 16) }
  }

  /// Mostly those that are interesting.
  private static func anyScalar(_ random: inout SeededGenerator) -> Unicode.Scalar? {
    let interesting: [ClosedRange<UInt32>] = [
      0...0xff, 0x20...0x7e, 0x300...0x34f, 0x600...0x6ff, 0x2000...0x206f, 0xfe00...0xfe0f, 0xfff0...0xffff,
      0x1f300...0x1f6ff, 0xe0000...0xe01ff, 0x4e00...0x4e10, 0x900...0x97f, 0...0x10ffff,
    ]
    return Unicode.Scalar(
      UInt32.random(in: interesting[Int.random(in: interesting.indices, using: &random)], using: &random))
  }
}
