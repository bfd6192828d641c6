/// The languages that a person reads, the preferred one first.
public enum PreferredLanguages {
  /// Language tags such as `de-AT` from the environment: those of `LANGUAGE` (separated by colons), followed by the
  /// one of `LC_ALL`, else `LC_MESSAGES`, else `LANG`. Empty if that last one is the C locale.
  public static var current: [String] { current(environment: Environment.value) }

  static func current(environment: (_ name: String) -> String?) -> [String] {
    guard let locale = tag(Environment.locale(of: "LC_MESSAGES", environment) ?? "") else { return [] }
    // As in gettext, LANGUAGE counts only if a locale is set.
    let preferred = (environment("LANGUAGE") ?? "").split(separator: ":").compactMap { tag(String($0)) }
    return preferred.contains(locale) ? preferred : preferred + [locale]
  }

  /// `de_AT.UTF-8` as the tag `de-AT`; nil for the C locale.
  static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    return ["", "C", "POSIX"].contains(name) ? nil : String(name.map { $0 == "_" ? "-" : $0 })
  }
}
