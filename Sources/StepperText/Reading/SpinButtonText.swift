import StepperCore

/// GtkSpinButton's `default_input`: C's `strtod`, and digits of other scripts if `strtod` does not read the whole text.
/// Source: gtkspinbutton.c 1742, measured with GTK 4.18.6; the locale is C.
extension TextScanner {
  /// GTK_UPDATE_IF_VALID: the whole text must be a number. The empty text and `-` are 0; a text of blanks is an error.
  mutating func spinButtonNumber() throws(TextRefusal) -> TextReading {
    let prefix = takeFloatingPoint()
    if next == nil { return prefix ?? .number(0) }
    if let numeral = digitsOfAnyScript() { return numeral.reading }
    guard prefix == nil else { throw expected("the end of the number") }
    skip(while: \.isBlank)
    throw expected("a number")
  }

  /// GTK_UPDATE_ALWAYS: errors are ignored, and the number that `strtod` reads from the beginning is used.
  mutating func spinButtonPrefix() -> TextReading {
    let prefix = takeFloatingPoint() ?? .number(0)
    return next == nil ? prefix : digitsOfAnyScript()?.reading ?? prefix
  }

  /// The whole text as a number, if it consists of decimal digits of any script after at most one `-`.
  private func digitsOfAnyScript() -> DecimalNumeral? {
    var attempt = self
    attempt.rewind()
    let isNegative = attempt.take("-")
    let digits = attempt.takeDigits(\.digitOfAnyScript)
    return attempt.next == nil ? DecimalNumeral(isNegative: isNegative, digits: digits) : nil
  }

  /// Reads as `strtod` does: blanks, a sign, then `inf`, `nan`, `0x1F` or a decimal number. Returns nil and reads
  /// nothing if none of these follows.
  private mutating func takeFloatingPoint() -> TextReading? {
    var attempt = self
    attempt.skip(while: \.isBlank)
    let isNegative = attempt.take("-")
    if !isNegative { _ = attempt.take("+") }
    guard let reading = attempt.takeUnsigned(isNegative: isNegative) else { return nil }
    self = attempt
    return reading
  }

  private mutating func takeUnsigned(isNegative: Bool) -> TextReading? {
    if takeWord("infinity") || takeWord("inf") { return .beyond(isNegative ? .decrement : .increment) }
    if takeWord("nan") {
      skipPayload()
      return .unchanged
    }
    if let magnitude = takeHexadecimal() { return TextReading(isNegative ? -magnitude : magnitude) }
    guard var numeral = takeDecimal(.unsigned) else { return nil }
    numeral.isNegative = isNegative
    return numeral.reading
  }

  /// Skips the suffix that C permits after `nan`: letters, digits and `_` in parentheses.
  private mutating func skipPayload() {
    var attempt = self
    guard attempt.take("(") else { return }
    attempt.skip { $0.isASCII && ($0.properties.isAlphabetic || $0.asciiDigit != nil || $0 == "_") }
    if attempt.take(")") { self = attempt }
  }

  /// Reads `0x1F`, `0x.8` or `0x1p-3`. In `0x` without digits only the `0` is a number.
  private mutating func takeHexadecimal() -> Double? {
    var attempt = self
    guard attempt.takeWord("0x") else { return nil }
    let whole = attempt.takeDigits(\.hexadecimalDigit)
    let fraction = attempt.take(".") ? attempt.takeDigits(\.hexadecimalDigit) : []
    guard !(whole.isEmpty && fraction.isEmpty) else { return nil }
    let exponent = (attempt.takeExponent(after: "p") ?? 0) - 4 * fraction.count
    let digits = (whole + fraction).map { String($0, radix: 16) }.joined()
    guard let value = Double("0x\(digits)p\(exponent)") else { return nil }
    self = attempt
    return value
  }
}
