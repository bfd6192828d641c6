/// Shell patterns for names, one of which a name must match: `*` matches any string and `?` one byte.
///
/// Names of controls are ASCII with at most 64 bytes. The time is proportional to the length of the patterns, and for
/// each name to its length times the number of patterns.
struct NamePatterns: Hashable {
  private let patterns: [String]

  /// nil: every name.
  init(_ patterns: [String]?) { self.patterns = patterns ?? ["*"] }

  /// Matches every name.
  static let all = NamePatterns(nil)

  /// The indices of the matching `names`.
  func indices(of names: [String]) -> Set<Int> {
    let isEvery = patterns.contains("*")
    guard !isEvery else { return Set(names.indices) }
    let globs = patterns.compactMap(Glob.init)
    return Set(
      names.indices.filter { index in
        let name = Array(names[index].utf8)
        return globs.contains { $0.matches(name) }
      })
  }

  func fit(_ name: String) -> Bool { !indices(of: [name]).isEmpty }
}

/// One pattern as a nondeterministic automaton: bit *i* is set if the first *i* bytes of the pattern other than `*`
/// may have been matched.
private struct Glob {
  /// By a byte of the name: the bytes of the pattern that match it.
  private var fitting = [UInt128](repeating: 0, count: 256)
  /// The states in which a `*` matches any byte.
  private var looping: UInt128 = 0
  private var length = 0

  /// nil if only names that are too long could match.
  init?(_ pattern: String) {
    for byte in pattern.utf8 {
      if byte == UInt8(ascii: "*") {
        looping |= 1 << length
        continue
      }
      guard length < 127 else { return nil }
      if byte == UInt8(ascii: "?") {
        for index in fitting.indices { fitting[index] |= 1 << length }
      } else {
        fitting[Int(byte)] |= 1 << length
      }
      length += 1
    }
  }

  func matches(_ name: [UInt8]) -> Bool {
    guard name.count >= length else { return false }
    var states: UInt128 = 1
    for byte in name {
      states = (states & fitting[Int(byte)]) << 1 | states & looping
      if states == 0 { return false }
    }
    return states >> length & 1 == 1
  }
}
