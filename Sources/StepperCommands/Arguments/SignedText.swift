internal import ArgumentParser

/// An argument that may begin with a minus: `stepperctl step volume -3`.
///
/// Options take it with `parsing: .unconditional`, and positional arguments with `.allUnrecognized`, which includes words that
/// the parser would otherwise refuse as unknown options.
struct SignedText: ExpressibleByArgument, Hashable {
  /// As it was typed.
  let text: String

  init(_ number: Int) { text = String(number) }

  /// Nil for a misspelt option: a number has a digit after its minus sign, possibly with a currency in between.
  init?(argument: String) {
    let isOption = argument.hasPrefix("-") && argument != Self.terminator
    guard
      !isOption || (!argument.hasPrefix("--") && argument.contains(where: \.isWholeNumber)) || argument == "-"
    else { return nil }
    text = argument
  }

  var defaultValueDescription: String { text }

  /// A whole number, with or without a sign.
  var integer: Int64? { Int64(text) }

  /// A finite number in the C locale.
  var number: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  fileprivate static let terminator = "--"
}

extension [SignedText] {
  /// Without the `--` that ends options, which the parser includes.
  var operands: [SignedText] {
    guard let end = firstIndex(where: { $0.text == SignedText.terminator }) else { return self }
    return Array(self[..<end] + self[(end + 1)...])
  }

  /// The single argument, as a whole number. Throws for any other text, and if there are several.
  func integer(of unit: String) throws(ValidationError) -> Int64 {
    let operands = operands
    guard let first = operands.first else { throw ValidationError("Missing expected argument '<\(unit)>'") }
    guard operands.count == 1 else { throw ValidationError("Unexpected argument '\(operands[1].text)'") }
    guard let number = first.integer else {
      throw ValidationError("'\(first.text)' is not a whole number of \(unit)")
    }
    return number
  }
}
