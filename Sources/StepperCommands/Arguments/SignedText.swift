internal import ArgumentParser

/// An argument that may begin with a minus: `stepperctl step volume -3`.
///
/// Options take it with `parsing: .unconditional`, and positional arguments with `.allUnrecognized`, which includes words that
/// the parser would otherwise refuse as unknown options. Those that ask for help are answered before the others are refused,
/// by `operands()`.
struct SignedText: ExpressibleByArgument, Hashable {
  /// As it was typed.
  let text: String

  init(_ number: Int) { text = String(number) }

  init?(argument: String) { text = argument }

  /// Whether it is a misspelt option: a number has a digit after its minus sign, possibly with a currency in between.
  var isOption: Bool {
    text.hasPrefix("-") && text != "-" && (text.hasPrefix("--") || !text.contains(where: \.isWholeNumber))
  }

  var defaultValueDescription: String { text }

  /// A whole number, with or without a sign.
  var integer: Int64? { Int64(text) }

  /// A finite decimal number in the C locale.
  var number: Double? {
    guard text.utf8.allSatisfy(Set("0123456789+-.eE".utf8).contains) else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  fileprivate static let terminator = "--"
}

extension [SignedText] {
  /// Without the `--` that ends options, which the parser includes. Throws for an unknown option before it.
  func operands() throws(ValidationError) -> [SignedText] {
    let end = firstIndex { $0.text == SignedText.terminator } ?? endIndex
    if let option = self[..<end].first(where: \.isOption) {
      throw ValidationError("Unknown option '\(option.text)'")
    }
    return Array(self[..<end] + self[end...].dropFirst())
  }

  /// The single argument, as a whole number. Throws for any other text, and if there are several.
  func integer(of unit: String) throws(ValidationError) -> Int64 {
    let operands = try operands()
    guard let first = operands.first else { throw ValidationError("Missing expected argument '<\(unit)>'") }
    guard operands.count == 1 else { throw ValidationError("Unexpected argument '\(operands[1].text)'") }
    guard let number = first.integer else {
      throw ValidationError("'\(first.text)' is not a whole number of \(unit)")
    }
    return number
  }
}
