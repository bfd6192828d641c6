internal import StepperText

/// The suggestion in messages about names that do not exist.
enum Suggestion {
  /// `; did you mean 'volume'?` with the name that `word` misspells, else with the first name that begins with `word`;
  /// `otherwise` if there is none.
  static func hint(for word: String, among names: [String], otherwise: String = "") -> String {
    let similar = suggestion(for: word, among: names)
    let meant = similar ?? (word.isEmpty ? nil : names.filter { $0.hasPrefix(word) }.min())
    return meant.map { "; did you mean '\($0)'?" } ?? otherwise
  }
}
