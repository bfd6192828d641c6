extension BinaryInteger {
  /// The digits in the given base, with leading zeros up to `count` digits.
  package func digits(_ count: Int, radix: Int = 10, uppercase: Bool = false) -> String {
    let text = String(self, radix: radix, uppercase: uppercase)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// At least four hexadecimal digits, for example `046d`.
  package var hexadecimal: String { digits(4, radix: 16) }
}

extension UInt16 {
  /// Reads one to four hexadecimal digits; nil: `text` is anything else.
  package init?(hexadecimal text: some StringProtocol) {
    let first = text.utf8.first
    guard text.utf8.count <= 4, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      let number = UInt16(text, radix: 16)
    else { return nil }
    self = number
  }
}
