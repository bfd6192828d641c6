/// The variables that name locales.
enum EnvironmentLocale {
  /// The locale of `category`, for example `LC_NUMERIC`: the first variable that is set and not empty counts.
  static func name(of category: String, _ environment: (_ name: String) -> String?) -> String? {
    ["LC_ALL", category, "LANG"].compactMap(environment).first { !$0.isEmpty }
  }
}
