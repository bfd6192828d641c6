/// How TOML writes numbers, dates and times.
enum ScalarSyntax {
  /// `12`, `-1_000`, `0xff`.
  static func isInteger(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.first == UInt8(ascii: "0"), let letter = word.dropFirst().first else {
      return isWholePart(withoutSign(word))
    }
    let digits = word.dropFirst(2)
    switch letter {
    case UInt8(ascii: "x"): return isRun(digits, of: isHexadecimalDigit)
    case UInt8(ascii: "o"): return isRun(digits) { ($0 & 0xf8) == 0x30 }
    case UInt8(ascii: "b"): return isRun(digits) { ($0 & 0xfe) == 0x30 }
    default: return false
    }
  }

  /// `1.5`, `-2e10`, `inf`, `nan`.
  static func isDecimal(_ word: ArraySlice<UInt8>) -> Bool {
    let number = withoutSign(word)
    if number.elementsEqual("inf".utf8) || number.elementsEqual("nan".utf8) { return true }
    var mantissa = number
    if let mark = number.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      guard isRun(withoutSign(number[(mark + 1)...]), of: isDigit) else { return false }
      mantissa = number[..<mark]
      if isWholePart(mantissa) { return true }
    }
    guard let point = mantissa.firstIndex(of: UInt8(ascii: ".")) else { return false }
    return isWholePart(mantissa[..<point]) && isRun(mantissa[(point + 1)...], of: isDigit)
  }

  /// `1979-05-27`, `07:32:00`, or both with a `T` or a blank between them, and `Z` or `+01:00` after them.
  static func isDateOrTime(_ word: ArraySlice<UInt8>) -> Bool {
    guard isDate(word.prefix(10)) else { return isTime(word) }
    let rest = word.dropFirst(10)
    guard let mark = rest.first else { return true }
    guard mark | 0x20 == UInt8(ascii: "t") || mark == UInt8(ascii: " ") else { return false }
    let time = rest.dropFirst()
    if let last = time.last, last | 0x20 == UInt8(ascii: "z") { return isTime(time.dropLast()) }
    let offset = time.suffix(6)
    if offset.first == UInt8(ascii: "+") || offset.first == UInt8(ascii: "-") {
      return isTime(time.dropLast(6)) && isHourAndMinute(offset.dropFirst())
    }
    return isTime(time)
  }

  static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(word)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      (1...12).contains(month)
    else { return false }
    let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(word)
    guard bytes.count >= 8, isHourAndMinute(word.prefix(5)), bytes[5] == UInt8(ascii: ":"),
      let second = number(bytes[6..<8]), second <= 60
    else { return false }
    guard bytes.count > 8 else { return true }
    return bytes[8] == UInt8(ascii: ".") && bytes.count > 9 && bytes[9...].allSatisfy(isDigit)
  }

  private static func isHourAndMinute(_ word: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(word)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hour = number(bytes[0..<2]),
      let minute = number(bytes[3..<5])
    else { return false }
    return hour < 24 && minute < 60
  }

  /// Up to four digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.allSatisfy(isDigit) ? digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : nil
  }

  // MARK: Numbers

  static func withoutSign(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    word.first == UInt8(ascii: "+") || word.first == UInt8(ascii: "-") ? word.dropFirst() : word
  }

  /// Digits without a leading zero.
  private static func isWholePart(_ word: ArraySlice<UInt8>) -> Bool {
    isRun(word, of: isDigit) && (word.count == 1 || word.first != UInt8(ascii: "0"))
  }

  /// Digits with at most one underscore between two of them.
  private static func isRun(_ word: ArraySlice<UInt8>, of isDigit: (UInt8) -> Bool) -> Bool {
    var isAfterDigit = false
    for byte in word {
      let isUnderscore = byte == UInt8(ascii: "_")
      guard isUnderscore ? isAfterDigit : isDigit(byte) else { return false }
      isAfterDigit = !isUnderscore
    }
    return isAfterDigit
  }
}

func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
