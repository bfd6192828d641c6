package import Testing

/// Texts that cost most where a `String` is compared, hashed, searched or walked.
package enum HostileText: String, CaseIterable, Sendable {
  /// Combining characters of one class behind all those of a higher one: every one of them must be moved before those.
  case marksInReverse
  /// Combining characters of two classes in turn.
  case marksInTurn
  /// As many combining characters as a text may have, again and again.
  case manyMarks
  /// Half of flags: from behind, each character begins where the first one does.
  case flags
  /// Joined letters, which are one character.
  case joined

  /// As much of it as `count` bytes hold, and at least that less 61.
  package func bytes(_ count: Int) -> [UInt8] {
    let (above, below) = ("\u{301}", "\u{316}")
    let piece =
      switch self {
      case .marksInReverse, .marksInTurn: above + below
      case .manyMarks: "e" + String(repeating: above, count: 15) + String(repeating: below, count: 15)
      case .flags: "\u{1f1e6}"
      case .joined: "\u{915}\u{94d}"
      }
    let pieces = (count - 1) / piece.utf8.count
    let text =
      self == .marksInReverse
      ? String(repeating: above, count: pieces) + String(repeating: below, count: pieces)
      : String(repeating: piece, count: pieces)
    return Array("e\(text)".utf8)
  }

  package func text(_ count: Int) -> String { String(decoding: bytes(count), as: UTF8.self) }

  /// Whether no text may have so many of its characters in a row.
  package var isRefused: Bool { self == .marksInReverse || self == .marksInTurn }
}

/// Expects that `work` takes at most in proportion to the length of hostile texts of up to `size` bytes.
///
/// It compares the processor time for a text with that for a quarter of it: four times as much if it is in proportion,
/// sixteen if it grows with the square, on every machine and under every load. Counting instructions needs performance
/// counters, which containers and guests do not have. The time is that of this thread, or what `clock` says.
package func expectProportionalCost(
  of place: String, upTo size: Int, _ texts: [HostileText] = HostileText.allCases,
  by clock: () -> Duration = { processorTime() }, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: ([UInt8]) throws -> Void
) rethrows {
  func cost(_ bytes: [UInt8]) throws -> Duration {
    let start = clock()
    try work(bytes)
    return clock() - start
  }
  for text in texts {
    let (whole, quarter) = (text.bytes(size), text.bytes(size / 4))
    var (large, small) = (Duration.seconds(3_600), Duration.seconds(3_600))
    for _ in 0..<4 where large > negligible && large > small * 8 {
      small = min(small, try cost(quarter))
      large = min(large, try cost(whole))
    }
    #expect(
      large <= negligible || large <= small * 8,
      "\(place): \(size) bytes of \(text) take \(large), a quarter of it \(small)",
      sourceLocation: sourceLocation)
  }
}

/// What the smallest pieces of work take, whose time varies more than fourfold.
private let negligible = Duration.microseconds(500)
