internal import ArgumentParser

/// An argument that may begin with a minus, which otherwise begins an option: `stepperctl step volume -3`.
struct SignedText: ExpressibleByArgument, Hashable {
  /// As it was typed.
  let text: String

  private static let minus: Character = "\u{2212}"

  init?(argument: String) {
    text = argument.first == Self.minus ? "-" + argument.dropFirst() : argument
  }

  /// A whole number, with or without a sign.
  var integer: Int64? { Int64(text) }

  /// Puts the typographic minus before every argument that is a negative number.
  static func protect(_ arguments: [String]) -> [String] {
    guard arguments.first?.hasPrefix("---") != true else { return arguments }
    return arguments.map { argument in
      let rest = argument.dropFirst()
      let isNegative = argument.hasPrefix("-") && (rest.first?.isWholeNumber == true || rest.first == ".")
      return isNegative ? String(minus) + rest : argument
    }
  }
}
