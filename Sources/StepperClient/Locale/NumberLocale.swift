/// How a locale writes numbers and amounts of money.
///
/// The marks come from the C library (`locale -a` lists its locales), because those of Foundation need ICU: a program
/// that formats one number with it is 39 MB larger, whereas all of `stepperctl` has 16 MB (linked statically, Swift
/// 6.3.1 on x86-64; as shared libraries `lib_FoundationICU.so` has 41 MB and `libFoundationInternationalization.so` 4
/// MB).
public struct NumberLocale: Hashable, Sendable {
  /// The C library's name of the locale for numbers, for example `de_DE.UTF-8`; `C` if that locale is not installed.
  public let name: String
  /// Numbers and percentages.
  let plain: NumberMarks
  /// Amounts of money.
  let money: NumberMarks
  let currency: CurrencyMarks

  init(name: String, plain: NumberMarks, money: NumberMarks, currency: CurrencyMarks) {
    (self.name, self.plain, self.money, self.currency) = (name, plain, money, currency)
  }

  /// The locale of programs and protocols: a decimal point, nothing between thousands, `EUR 5.00`.
  public static let c = NumberLocale(
    name: "C", plain: NumberMarks(), money: NumberMarks(), currency: CurrencyMarks())

  /// The locale that the C library calls `name`, for example `de_DE.UTF-8`, `de_DE` or `C`.
  ///
  /// If `name` has no character set, UTF-8 is preferred. Throws `noSuchLocale` if the locale is not installed.
  public init(named name: String) throws(FormattingError) {
    guard let locale = SystemLocale(named: name) else {
      throw FormattingError(
        .noSuchLocale, "there is no locale '\(name)' here; 'locale -a' lists those there are")
    }
    self.init(numbers: locale, money: locale)
  }

  /// The locale of the environment: from `LC_ALL`, else from `LC_NUMERIC` for numbers and `LC_MONETARY` for money,
  /// else from `LANG`.
  ///
  /// A locale that is not installed is replaced by ``c``.
  public static var current: NumberLocale { current(environment: Environment.value) }

  static func current(environment: (_ name: String) -> String?) -> NumberLocale {
    let numbers = Environment.locale(of: "LC_NUMERIC", environment).flatMap(SystemLocale.init)
    let money = Environment.locale(of: "LC_MONETARY", environment).flatMap(SystemLocale.init)
    return NumberLocale(numbers: numbers, money: money)
  }

  private init(numbers: SystemLocale?, money: SystemLocale?) {
    self.init(
      name: numbers?.name ?? "C", plain: numbers?.numberMarks ?? NumberMarks(),
      money: money?.moneyMarks ?? NumberMarks(), currency: money?.currencyMarks ?? CurrencyMarks())
  }

  /// Whether a space precedes the per cent sign. The C library does not specify this; these are the languages with a
  /// space in Unicode's CLDR, except for Switzerland.
  var spacesPercent: Bool {
    let parts = name.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
    return Self.languagesThatSpacePercent.contains(parts.first.map(String.init) ?? "") && parts.last != "CH"
  }

  private static let languagesThatSpacePercent: Set<String> = [
    "be", "bg", "bs", "ca", "cs", "da", "de", "es", "fi", "fr", "gl", "hr", "lt", "mk", "nb", "nn", "no",
    "ro", "ru",
    "sk", "sl", "sr", "sv", "uk",
  ]
}
