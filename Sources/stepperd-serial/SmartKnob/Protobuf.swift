/// The fields of a Protocol Buffers message, as far as a SmartKnob uses them. The Swift library for them would require Foundation.
///
/// Source: the encoding described at protobuf.dev.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  mutating func number(_ value: Int64, _ field: UInt64) {
    guard value != 0 else { return }
    varint(field << 3)
    varint(UInt64(bitPattern: value))
  }

  mutating func float(_ value: Float, _ field: UInt64) {
    guard value != 0 else { return }
    varint(field << 3 | 5)
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
  }

  /// Writes a field with a message, which may be empty, or with a text.
  mutating func part(_ content: some Collection<UInt8>, _ field: UInt64) {
    varint(field << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

struct ProtobufReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { self.bytes = ArraySlice(bytes) }

  enum Value: Hashable {
    case number(Int64)
    case part([UInt8])
  }

  /// The bytes are not a valid message.
  struct Misfit: Error {}

  /// Reads the next field; nil: there are no more.
  mutating func next() throws(Misfit) -> (field: UInt64, value: Value)? {
    guard !bytes.isEmpty else { return nil }
    let tag = try varint()
    switch tag & 7 {
    case 0: return (tag >> 3, .number(Int64(bitPattern: try varint())))
    case 1: return (tag >> 3, .part(try take(8)))
    case 2: return (tag >> 3, .part(try take(try varint())))
    case 5: return (tag >> 3, .part(try take(4)))
    default: throw Misfit()
    }
  }

  private mutating func take(_ count: UInt64) throws(Misfit) -> [UInt8] {
    guard count <= UInt64(bytes.count) else { throw Misfit() }
    defer { bytes = bytes.dropFirst(Int(count)) }
    return Array(bytes.prefix(Int(count)))
  }

  private mutating func varint() throws(Misfit) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { throw Misfit() }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw Misfit()
  }
}
