internal import StepperConfiguration

/// How an endless knob says in seven bits how far it was turned. MIDI leaves that to the manufacturer.
typealias KnobEncoding = MidiConfiguration.Encoding

extension KnobEncoding {
  /// Clockwise positive.
  func counts(_ value: Int) -> Int {
    switch self {
    // 1 is one count, 127 one back.
    case .complement: value < 64 ? value : value - 128
    // 65 is one count, 63 one back.
    case .offset: value - 64
    // 1 is one count, 65 one back.
    case .sign: value < 64 ? value : 64 - value
    }
  }

  /// More counts in one message are those of another encoding.
  private static let most = 16

  func isPlausible(_ value: Int) -> Bool { (1...Self.most).contains(abs(counts(value))) }

  /// Those in which all `values` are plausible, the usual ones first.
  static func plausible(_ values: some Sequence<Int>) -> [KnobEncoding] {
    allCases.filter { encoding in values.allSatisfy(encoding.isPlausible) }
  }
}
