import TestSupport

/// Changes documents at random, the same way for the same seed (SplitMix64).
struct Torture: RandomNumberGenerator {
  private var generator: SeededGenerator

  init(_ seed: Seed) { generator = SeededGenerator(seed) }

  mutating func next() -> UInt64 { generator.next() }

  /// What means something in TOML or in a configuration.
  private static let pieces: [[UInt8]] =
    [
      "\"", "'", "\"\"\"", "'''", "[", "]", "[[", "]]", "{", "}", "=", ".", ",", "#", "\n", "\r\n", "\r",
      "\0",
      "\t", "_", "-", "+", "1", "0", "e9", ":", "T", "1979-05-27", "07:32:00", "true", "inf", "0x", "\\",
      "\\u00e9",
      "\\U0001F600", "\u{e9}", "e\u{301}", "\u{201c}", "\u{2a0}", "\u{feff}", "a.b", "[control.c]", "[[a]]\n",
      "a={b=1}", "x=[1,\n2]", "\n[device.d]\n", "maximum = 1e9\n", "\"none\"", "\"d:plus\"",
      "999999999999999999",
      "\"1000000000s\"", "\\u001b[31m", "\\u202e", "\u{202e}", "\"\\u001b\"", "\"k\\r\\n\" = 1\n",
      "[device.\"\\u001b\"]\n", "-0.000000001", "9223372036854775807",
    ].map { Array($0.utf8) } + [[0xff], [0xc3], [0xed, 0xa0, 0x80]]

  mutating func next(from documents: [[UInt8]]) -> [UInt8] {
    var bytes = documents.randomElement(using: &self) ?? []
    for _ in 0..<Int.random(in: 1...5, using: &self) {
      let place = Int.random(in: 0...bytes.count, using: &self)
      let end = min(bytes.count, place + Int.random(in: 0...20, using: &self))
      switch Int.random(in: 0..<5, using: &self) {
      case 0: bytes.insert(contentsOf: Self.pieces.randomElement(using: &self) ?? [], at: place)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.replaceSubrange(place..<end, with: Self.pieces.randomElement(using: &self) ?? [])
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &self))
      default:
        let other = documents.randomElement(using: &self) ?? []
        let start = Int.random(in: 0...other.count, using: &self)
        bytes.insert(contentsOf: other[start..<min(other.count, start + 40)], at: place)
      }
    }
    return bytes
  }
}
