/// The frames of a SmartKnob: a message and its CRC-32, lowest byte first, both encoded by COBS to contain no zeros, and then a zero.
///
/// Source: `firmware/src/serial` of github.com/scottbez1/smartknob; COBS as described by Cheshire and Baker; CRC-32 as in zlib.
enum SmartKnobFrame {
  /// The most bytes of a frame without its zero. The longest message is a log line of 255 bytes.
  static let limit = 512

  static func encode(_ message: [UInt8]) -> [UInt8] {
    let checksum = crc32(message)
    return stuffed(message + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }) + [0]
  }

  /// The message in a frame without its zero; nil: the frame is damaged.
  static func decode(_ frame: [UInt8]) -> [UInt8]? {
    guard let bytes = unstuffed(frame), bytes.count > 4 else { return nil }
    let message = Array(bytes.dropLast(4))
    let checksum = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return checksum == crc32(message) ? message : nil
  }

  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var register = UInt32.max
    for byte in bytes {
      register ^= UInt32(byte)
      for _ in 0..<8 { register = register >> 1 ^ (register & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    return ~register
  }

  /// Replaces each zero by the distance to the next one.
  static func stuffed(_ bytes: [UInt8]) -> [UInt8] {
    var (result, place) = ([UInt8(1)], 0)
    for (index, byte) in bytes.enumerated() {
      if byte == 0 {
        place = result.count
        result.append(1)
        continue
      }
      result.append(byte)
      result[place] += 1
      if result[place] == .max, index < bytes.count - 1 {
        place = result.count
        result.append(1)
      }
    }
    return result
  }

  static func unstuffed(_ bytes: [UInt8]) -> [UInt8]? {
    var (result, index) = ([UInt8](), 0)
    while index < bytes.count {
      let length = Int(bytes[index])
      guard length > 0, index + length <= bytes.count else { return nil }
      let part = bytes[(index + 1)..<(index + length)]
      guard !part.contains(0) else { return nil }
      result += part
      index += length
      if length < 255, index < bytes.count { result.append(0) }
    }
    return result
  }
}
