/// TOML's syntax of numbers, dates and times.
enum ScalarSyntax {
  /// `12`, `-1_000`, `0xff`.
  static func isInteger(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.first == UInt8(ascii: "0"), let letter = word.dropFirst().first else {
      return isWholePart(withoutSign(word))
    }
    let digits = word.dropFirst(2)
    switch letter {
    case "x": return isRun(digits, of: isHexadecimalDigit)
    case "o": return isRun(digits) { "0"..."7" ~= $0 }
    case "b": return isRun(digits) { "0"..."1" ~= $0 }
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
    guard withoutSign(offset).count < offset.count else { return isTime(time) }
    return isTime(time.dropLast(6)) && isClock(numbers(in: offset.dropFirst(), "00:00"))
  }

  static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
    guard let numbers = numbers(in: word, "0000-00-00"), (1...12).contains(numbers[1]) else { return false }
    let year = numbers[0]
    let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[numbers[1] - 1]).contains(numbers[2])
  }

  private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
    let fraction = word.dropFirst(8)
    return isClock(numbers(in: word.prefix(8), "00:00:00"))
      && (fraction.isEmpty
        || fraction.first == UInt8(ascii: ".") && fraction.count > 1
          && fraction.dropFirst().allSatisfy(isDigit))
  }

  /// Whether the numbers are hour, minute and second. The second may be a leap second.
  private static func isClock(_ numbers: [Int]?) -> Bool {
    guard let numbers else { return false }
    return zip(numbers, [23, 59, 60]).allSatisfy { $0 <= $1 }
  }

  /// The numbers in `word`; nil unless it has a digit for each zero of `shape` and is otherwise equal to `shape`.
  private static func numbers(in word: ArraySlice<UInt8>, _ shape: StaticString) -> [Int]? {
    let shape = shape.description.utf8
    let fits = zip(word, shape).allSatisfy { isDigit($1) ? isDigit($0) : $0 == $1 }
    guard fits, word.count == shape.count else { return nil }
    return word.split { !isDigit($0) }.map { $0.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
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
    word.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
  }
}
