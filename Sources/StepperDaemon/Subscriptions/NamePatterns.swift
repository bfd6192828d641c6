import StepperText

/// Shell patterns for names: `*` matches any string and `?` one byte. A name must match one of the patterns.
///
/// A client may send 64 patterns of 255 bytes. Names of controls have at most 64 bytes, so that matching one pattern with one
/// name takes 3 µs at most.
struct NamePatterns: Hashable {
  private let patterns: [String]

  /// nil: every name.
  init(_ patterns: [String]?) { self.patterns = patterns ?? ["*"] }

  /// Matches every name.
  static let all = NamePatterns(nil)

  /// The indices of the matching `names`.
  func indices(of names: [String]) -> Set<Int> {
    Set(names.indices.filter { fit(names[$0]) })
  }

  func fit(_ name: String) -> Bool { patterns.contains { $0 == "*" || glob($0, matches: name) } }
}
