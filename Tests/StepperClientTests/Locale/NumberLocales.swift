@testable import StepperClient

/// Locales as the C library has them, so that these tests need none installed.
extension NumberLocale {
  static func example(
    _ name: String, decimal: Character, group: Character?, sizes: [Int] = [3], lastSizeRepeats: Bool = true,
    code: String, symbol: String, precedes: Bool = false, isSpaced: Bool = true
  ) -> NumberLocale {
    let marks = NumberMarks(
      decimal: decimal, group: group, groupSizes: sizes, lastSizeRepeats: lastSizeRepeats)
    return NumberLocale(
      name: name, plain: marks, money: marks,
      currency: CurrencyMarks(
        code: code, symbol: symbol, symbolPlacement: .init(precedes: precedes, isSpaced: isSpaced),
        codePlacement: .init(precedes: precedes, isSpaced: true)))
  }

  static let german = example("de_DE.UTF-8", decimal: ",", group: ".", code: "EUR", symbol: "€")
  static let french = example("fr_FR.UTF-8", decimal: ",", group: "\u{202f}", code: "EUR", symbol: "€")
  static let american = example(
    "en_US.UTF-8", decimal: ".", group: ",", code: "USD", symbol: "$", precedes: true, isSpaced: false)
  static let indian = example(
    "en_IN.UTF-8", decimal: ".", group: ",", sizes: [3, 2], code: "INR", symbol: "₹", precedes: true,
    isSpaced: false)
  static let swiss = example(
    "de_CH.UTF-8", decimal: ".", group: "\u{2019}", code: "CHF", symbol: "CHF", precedes: true)
  /// Its symbol ends with its grouping mark.
  static let danish = example(
    "da_DK.UTF-8", decimal: ",", group: ".", code: "DKK", symbol: "kr.", precedes: true)
  /// Groups only once.
  static let odd = example(
    "xx_XX", decimal: "٫", group: "٬", sizes: [4], lastSizeRepeats: false, code: "XXX", symbol: "ж")

  /// Has no space beside letters.
  static let touching = NumberLocale(
    name: "xx_XX", plain: NumberMarks(), money: NumberMarks(),
    currency: CurrencyMarks(
      code: "SEK", symbol: "kr", symbolPlacement: .init(isSpaced: false),
      codePlacement: .init(isSpaced: false)))

  static let examples = [c, german, french, american, indian, swiss, danish, odd, touching]
}
