internal import StepperConfiguration

/// How an endless knob encodes in seven bits how far it was turned. MIDI leaves this to the manufacturer.
typealias KnobEncoding = MidiConfiguration.Encoding

extension KnobEncoding {
  /// The counts that `value` stands for, positive for clockwise turns.
  func counts(_ value: Int) -> Int {
    switch self {
    // 1 is one count forward, 127 one back.
    case .complement: value < 64 ? value : value - 128
    // 65 is one count forward, 63 one back.
    case .offset: value - 64
    // 1 is one count forward, 65 one back.
    case .sign: value < 64 ? value : 64 - value
    }
  }

  /// More counts than this in one message indicate another encoding.
  private static let most = 16

  func isPlausible(_ value: Int) -> Bool { (1...Self.most).contains(abs(counts(value))) }

  /// The encodings in which all `values` are plausible, the most usual first.
  static func plausible(_ values: some Sequence<Int>) -> [KnobEncoding] {
    allCases.filter { encoding in values.allSatisfy(encoding.isPlausible) }
  }
}
