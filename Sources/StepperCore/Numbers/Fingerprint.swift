/// A hash of bytes (FNV-1a, 64 bits): small, the same on every machine, and not cryptographic.
package struct Fingerprint: Hashable, Sendable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The fingerprint of no bytes.
  package init() {}

  package init(_ bytes: some Sequence<UInt8>) { add(bytes) }

  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }

  package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  /// The value as sixteen hexadecimal digits.
  package var text: String { value.digits(16, radix: 16) }
}
