/// An option of `stepperctl try`, `key=value`.
struct TrialOption {
  let key: String
  /// The line in a control's table that sets the option.
  let line: String

  /// nil if there is no `=`.
  init?(_ argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    key = String(parts[0]).trimmed
    let value = String(parts[1])
    line = "\(key) = \(Self.isLiteral(value) ? value : "\"\(value)\"")"
  }

  /// Whether `value` is a TOML literal. Bare words such as `clamp` and `500ms` are quoted instead.
  private static func isLiteral(_ value: String) -> Bool {
    guard let first = value.first else { return false }
    if "\"'[{".contains(first) || ["true", "false"].contains(value) { return true }
    let number = value.filter { $0 != "_" }
    return "0123456789+-".contains(first)
      && (Double(number) != nil || number.hasPrefix("0o") || number.hasPrefix("0b"))
  }
}
