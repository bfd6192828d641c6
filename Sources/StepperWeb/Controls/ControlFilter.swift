internal import StepperText

/// The controls of a request: shell patterns, of which one has to match.
struct ControlFilter: Hashable, Sendable {
  /// The most patterns and bytes of one, as the daemon has it.
  static let patternLimit = 64
  static let byteLimit = 255

  let patterns: [String]

  /// All controls.
  static let all = ControlFilter(patterns: [])

  func matches(_ control: String) -> Bool {
    patterns.isEmpty || patterns.contains { glob($0, matches: control) }
  }
}
