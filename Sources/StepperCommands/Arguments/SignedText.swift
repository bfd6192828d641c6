internal import ArgumentParser

/// An argument that may begin with a minus, which otherwise begins an option: `stepperctl step volume -3`.
struct SignedText: ExpressibleByArgument, Hashable {
  /// As it was typed.
  let text: String

  private static let minus: Character = "\u{2212}"

  init(_ number: Int) { text = String(number) }

  init?(argument: String) {
    text = argument.first == Self.minus ? "-" + argument.dropFirst() : argument
  }

  var defaultValueDescription: String { text }

  /// A whole number, with or without a sign.
  var integer: Int64? { Int64(text) }

  /// A finite number in the C locale.
  var number: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// Puts the typographic minus before every argument that is a negative number, also with a currency, since the
  /// parser takes it for an option: an option of one letter has a digit behind it only in `-o=KEY=1`.
  static func protect(_ arguments: [String]) -> [String] {
    guard arguments.first?.hasPrefix("---") != true else { return arguments }
    return arguments.map { argument in
      guard argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.dropFirst(2).first != "=",
        argument.contains(where: \.isWholeNumber)
      else { return argument }
      return String(minus) + argument.dropFirst()
    }
  }

  /// A message that may quote such an argument, with the minus that was typed.
  static func restored(_ message: String) -> String {
    message.split(separator: minus, omittingEmptySubsequences: false).joined(separator: "-")
  }
}
