/// Takes decisions from the bytes of an input, from its beginning; where they end, every decision is 0.
struct ByteSource {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  /// 0 to `count` − 1; one byte, so at most 255.
  mutating func index(below count: Int) -> Int { count < 2 ? 0 : Int(byte()) % min(count, 256) }

  mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[index(below: elements.count)]
  }

  mutating func word<Word: CaseIterable>(_: Word.Type, or fallback: Word) -> Word {
    element(of: Array(Word.allCases)) ?? fallback
  }

  /// So many bytes as a number, the lowest first.
  private mutating func bits(_ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(byte()) << (8 * $1) }
  }

  /// Small numbers more often than large ones, and the ends of every type more often than what is beside them.
  mutating func integer() -> Int64 {
    switch byte() {
    case let tag where tag < 96: return Int64(tag) - 32
    case 96..<144: return Int64(Int8(truncatingIfNeeded: bits(1)))
    case 144..<176: return Int64(Int16(truncatingIfNeeded: bits(2)))
    case 176..<192: return Int64(Int32(truncatingIfNeeded: bits(4)))
    case 192..<208: return Int64(bitPattern: bits(8))
    default:
      let edges: [Int64] = [
        .min, .max, Int64(Int32.min), Int64(Int32.max), 1 << 53, 1 << 61, 1_000_000_000_000_000_000, 100_000,
      ]
      let edge = edges[index(below: edges.count)]
      let sign: Int64 = flag() ? -1 : 1
      return edge.multipliedReportingOverflow(by: sign).partialValue
        .addingReportingOverflow(Int64(index(below: 5)) - 2).partialValue
    }
  }

  /// As ``integer()``, in the range of an event's value.
  mutating func eventValue() -> Int32 { Int32(clamping: integer()) }

  /// Any double.
  mutating func double() -> Double {
    flag() ? Double(bitPattern: bits(8)) : Double(integer()) / [1, 10, 1_000, 1e9][index(below: 4)]
  }

  /// Everything that is left.
  mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  /// Everything that is left, as a text; what is not UTF-8 is replaced.
  mutating func remainingText() -> String { String(decoding: remainder(), as: UTF8.self) }

  /// Bytes up to the next NUL, or the end.
  mutating func untilNUL() -> [UInt8] {
    let bytes = Array(rest.prefix { $0 != 0 })
    rest = rest.dropFirst(bytes.count + 1)
    return bytes
  }

  /// Text up to the next NUL, or the end; what is not UTF-8 is replaced.
  mutating func text() -> String { String(decoding: untilNUL(), as: UTF8.self) }
}
