internal import ArgumentParser
internal import StepperClient

/// An argument that may begin with a minus: `stepperctl step volume -3`.
///
/// Options use it with `parsing: .unconditional`, positional arguments with `.allUnrecognized`, which includes words
/// that the parser would otherwise refuse as unknown options. Requests for help are answered first; `operands()` then
/// refuses unknown options.
struct SignedText: ExpressibleByArgument, Hashable {
  /// As it was typed.
  let text: String

  init(_ number: Int) { text = String(number) }

  init?(argument: String) { text = argument }

  /// Whether this is an unknown option and not a number. A number has a digit after the minus sign, possibly with a
  /// currency in between.
  var isOption: Bool {
    text.hasPrefix("-") && text != "-" && (text.hasPrefix("--") || !text.contains(where: \.isWholeNumber))
  }

  var defaultValueDescription: String { text }

  /// A whole number, with or without a sign; nil also if it is too large.
  var integer: Int64? { Int64(text) }

  /// Whether it is a whole number, of any size.
  fileprivate var isWhole: Bool {
    let digits = text.utf8.drop { "+-".utf8.contains($0) }
    return !digits.isEmpty && text.utf8.count - digits.count < 2
      && digits.allSatisfy("0123456789".utf8.contains)
  }

  /// A decimal number in the C locale; infinite if it is too large.
  var number: Double? {
    text.utf8.allSatisfy(Set("0123456789+-.eE".utf8).contains) ? Double(text) : nil
  }

  fileprivate static let terminator = "--"
}

extension [SignedText] {
  /// The arguments without the `--` that ends options, which the parser includes. Throws for an unknown option before
  /// it.
  func operands() throws(ValidationError) -> [SignedText] {
    let end = firstIndex { $0.text == SignedText.terminator } ?? endIndex
    if let option = self[..<end].first(where: \.isOption) {
      throw ValidationError("Unknown option '\(option.text)'")
    }
    return Array(self[..<end] + self[end...].dropFirst())
  }

  /// The single argument, as a whole number in `range`. Throws for any other text, and if there are several.
  func integer(
    of unit: String, in range: ClosedRange<Int64> = ParameterLimit.wholeNumbers
  ) throws(ValidationError) -> Int64 {
    let operands = try operands()
    guard let first = operands.first else { throw ValidationError("Missing expected argument '<\(unit)>'") }
    guard operands.count == 1 else { throw ValidationError("Unexpected argument '\(operands[1].text)'") }
    guard first.isWhole else { throw ValidationError("'\(first.text)' is not a whole number of \(unit)") }
    guard let number = first.integer, range.contains(number) else {
      throw ValidationError(
        "'\(first.text)' is out of range: \(unit) go from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
