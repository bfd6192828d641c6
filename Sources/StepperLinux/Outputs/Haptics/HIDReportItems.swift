/// The short items of a HID report descriptor, in order ("Device Class Definition for HID 1.11", 6.2.2).
struct HIDReportItems: Sequence, IteratorProtocol {
  struct Item {
    /// Tag and type; the two bits for the size are 0.
    var prefix: UInt8
    /// 0, 1, 2 or 4 bytes.
    var data: ArraySlice<UInt8>

    var unsigned: UInt32 { data.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    /// For one or two bytes of data, the highest bit is the sign.
    var signed: Int32 {
      switch data.count {
      case 1: Int32(Int8(truncatingIfNeeded: unsigned))
      case 2: Int32(Int16(truncatingIfNeeded: unsigned))
      default: Int32(truncatingIfNeeded: unsigned)
      }
    }
  }

  private var rest: ArraySlice<UInt8>

  init(_ descriptor: [UInt8]) { rest = descriptor[...] }

  /// Returns nil at the end, and where the descriptor is truncated. Long items, of which none is defined so far, are
  /// skipped.
  mutating func next() -> Item? {
    while let first = rest.popFirst() {
      if first == 0xFE {
        guard let count = rest.popFirst() else { return nil }
        rest = rest.dropFirst(Int(count) + 1)
        continue
      }
      let count = [0, 1, 2, 4][Int(first & 3)]
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Item(prefix: first & ~3, data: rest.prefix(count))
    }
    return nil
  }
}
