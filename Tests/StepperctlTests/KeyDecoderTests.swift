import TestSupport
import Testing

@testable import StepperCommands

@Suite struct `Keys of a terminal` {
  static let keys: [(String, TerminalKey)] = [
    ("\u{1b}[A", .up), ("\u{1b}OA", .up), ("\u{1b}[1;5A", .up), ("\u{1b}[B", .down), ("\u{1b}[C", .right),
    ("\u{1b}OD", .left), ("\u{1b}[5~", .pageUp), ("\u{1b}[6;2~", .pageDown), ("\u{1b}[H", .home),
    ("\u{1b}[1~", .home), ("\u{1b}[7~", .home), ("\u{1b}OF", .end), ("\u{1b}[4~", .end), ("\u{1b}[8~", .end),
    ("\u{1b}[3~", .delete), ("\r", .enter), ("\n", .enter), ("\u{1b}OM", .enter), ("\u{7f}", .backspace),
    ("\u{8}", .backspace), ("\u{c}", .control("l")), ("q", .character("q")), ("é", .character("é")),
    ("音", .character("音")), ("😀", .character("😀")),
  ]

  @Test(arguments: keys) func `each by itself, whole and byte by byte`(bytes: String, key: TerminalKey) {
    var decoder = KeyDecoder()
    #expect(decoder.keys(from: bytes.utf8) == [key])
    #expect(!decoder.isWaiting)
    let parts = Array(bytes.utf8).map { decoder.keys(from: [$0]) }
    #expect(parts == Array(repeating: [], count: parts.count - 1) + [[key]])
    #expect(!decoder.isWaiting)
  }

  @Test func `many in one piece`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(from: Self.keys.flatMap { Array($0.0.utf8) }) == Self.keys.map(\.1))
  }

  @Test func `Escape by itself waits for more and is a key when nothing comes`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(from: [0x1b]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.endSequence() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(decoder.endSequence() == [])
  }

  @Test func `Escape before another key is a key`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(from: "\u{1b}q".utf8) == [.escape, .character("q")])
    #expect(decoder.keys(from: "\u{1b}\u{1b}[A".utf8) == [.escape, .up])
    #expect(decoder.keys(from: "\u{1b}[".utf8) == [])
    #expect(decoder.endSequence() == [.escape])
  }

  @Test(arguments: [
    "\u{1b}[[A", "\u{1b}[15~", "\u{1b}[200~", "\u{1b}[?1;2c", "\u{1b}OP", "\u{1b}[<0;1;2M\u{1b}[<0;1;2m",
    "\u{1b}[" + String(repeating: "1;", count: 1000) + "~", "\u{85}",
  ]) func `what is unknown is left out as a whole`(bytes: String) {
    var decoder = KeyDecoder()
    let keys = decoder.keys(from: bytes.utf8)
    #expect(keys == [])
    #expect(!decoder.isWaiting)
    #expect(decoder.keys(from: "q".utf8) == [.character("q")])
  }

  @Test(
    arguments: [[0xff], [0xc3, 0x28], [0xe9, 0x9f], [0xf0, 0x9f], [0x80], [0xed, 0xa0, 0x80], [0]]
      as [[UInt8]])
  func `bytes that are no text do not hide the next key`(bytes: [UInt8]) {
    var decoder = KeyDecoder()
    _ = decoder.keys(from: bytes)
    #expect(decoder.keys(from: "q".utf8).last == .character("q"))
  }

  @Test(arguments: Seed.fresh(20)) func `any bytes make no more keys than bytes, and are never kept`(
    seed: Seed
  ) {
    var random = SeededGenerator(seed)
    for _ in 0..<200 {
      var decoder = KeyDecoder()
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : Array("\u{1b}[O;~1A".utf8).randomElement(using: &random) ?? 0
      }
      #expect(decoder.keys(from: bytes).count <= bytes.count)
      _ = decoder.endSequence()
      #expect(!decoder.isWaiting)
    }
  }
}
