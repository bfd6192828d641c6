import StepperCore

/// CRC-32C (Castagnoli). It detects every change of up to five bits in a line of up to 655 bytes, which is longer
/// than any line of the state file; of other changes it misses one in 2^32.
nonisolated enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0x82f6_3b78 }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
  }

  /// Eight hexadecimal digits.
  static func text(of bytes: some Sequence<UInt8>) -> String { of(bytes).digits(8, radix: 16) }
}
