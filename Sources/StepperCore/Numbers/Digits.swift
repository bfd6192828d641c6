extension BinaryInteger {
  /// The digits in the given base, with leading zeros up to `count` digits.
  package func digits(_ count: Int, radix: Int = 10, uppercase: Bool = false) -> String {
    let text = String(self, radix: radix, uppercase: uppercase)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// `046d`.
  package var hexadecimal: String { digits(4, radix: 16) }
}
