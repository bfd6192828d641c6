/// Messages for words that resemble numbers or dates.
enum ScalarFault {
  /// The fault of `word`; nil if the word does not resemble a number or date.
  static func of(_ word: String.UTF8View) -> String? {
    let bytes = ScalarSyntax.withoutSign(Array(word)[...])
    guard let first = bytes.first, isDigit(first) || first == UInt8(ascii: ".") else { return nil }
    let second = bytes.dropFirst().first
    if isNearlyDate(bytes) {
      return
        "must be a date as in 1979-05-27, a time as in 07:32:00 or both with a T between, or a text in quotes"
    }
    if first == UInt8(ascii: "0"), let second, "xob".utf8.contains(second | 0x20) {
      return "a number with 0x, 0o or 0b has only digits after it, no capital in it and no sign"
    }
    let isNearlyNumber = bytes.allSatisfy { isDigit($0) || "._eE".utf8.contains($0) }
    guard isNearlyNumber, bytes.count(where: { $0 == UInt8(ascii: ".") }) <= 1 else { return nil }
    if bytes.contains(UInt8(ascii: "_")) { return "an underscore in a number stands between two digits" }
    if first == UInt8(ascii: "0"), second.map(isDigit) == true {
      return "a number must not begin with 0, and a text needs quotes"
    }
    return bytes.contains { $0 | 0x20 == UInt8(ascii: "e") }
      ? "an e in a number stands between digits, as in 1e-3"
      : "a number has digits before and after its point"
  }

  /// Four digits and a dash, or one or two digits and a colon.
  private static func isNearlyDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    let digits = bytes.prefix(while: isDigit)
    let mark = bytes.dropFirst(digits.count).first
    return digits.count == 4 && mark == UInt8(ascii: "-") || digits.count <= 2 && mark == UInt8(ascii: ":")
  }
}
