internal import StepperConfiguration

/// The most similar name for one that does not exist.
enum Suggestion {
  /// The one of `names` that is nearest to `word`, or that begins with it; nil if none is near.
  static func nearest(to word: String, among names: [String]) -> String? {
    suggestion(for: word, among: names) ?? (word.isEmpty ? nil : names.first { $0.hasPrefix(word) })
  }
}
