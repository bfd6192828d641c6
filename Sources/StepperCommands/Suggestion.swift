internal import StepperText

/// The existing name that is most similar to one that does not exist.
enum Suggestion {
  /// The one of `names` that `word` is misspelt for, or else the first that begins with it.
  static func nearest(to word: String, among names: [String]) -> String? {
    if let nearest = suggestion(for: word, among: names) { return nearest }
    return word.isEmpty ? nil : names.filter { $0.hasPrefix(word) }.min()
  }
}
