internal import StepperConfiguration

/// Controllers that have sent something but are not identified yet. If there are more than anybody moves, only the most recent ones are
/// kept.
struct MidiObservations: Hashable {
  private var all: [MidiInput: MidiObservation] = [:]
  /// The most recent controllers are last.
  private var order: [MidiInput] = []

  static let most = 64

  /// Adds a value. Returns what the controller is; nil: unknown so far. An identified controller is no longer kept.
  mutating func add(_ value: Int, of input: MidiInput) -> MidiInputs.Kind? {
    order.removeAll { $0 == input }
    let kind = all[input, default: .init()].add(value)
    if kind != nil {
      all[input] = nil
      return kind
    }
    order.append(input)
    if order.count > Self.most { all[order.removeFirst()] = nil }
    return nil
  }
}

/// Identifies a controller by the values that it sends.
///
/// A fader sends its position: neighbouring values, none of them twice in a row. A knob sends how far it was turned: the same value
/// again, or both directions. A button sends 127 and 0.
struct MidiObservation: Hashable {
  private var values: [Int] = []

  /// The number of values that identify a fader if nothing else does. More are needed if a knob could send the same values.
  private static let enough = 4
  private static let enoughOfSmall = 6
  /// A knob that is turned in one direction at varying speeds sends small values that go up and down.
  private static let most = 8

  /// Adds a value. Returns what the controller is; nil: unknown so far.
  mutating func add(_ value: Int) -> MidiInputs.Kind? {
    let last = values.last
    values.append(value)
    guard let last else { return nil }
    if Set(values) == [0, 127] { return .button }
    let encodings = KnobEncoding.plausible(values)
    if let encoding = encodings.first, last == value || hasTurnedBack(encoding) { return .knob(encoding) }
    guard values.count >= Self.enough else { return nil }
    guard let encoding = encodings.first else { return .fader(isFine: false) }
    if isMonotonic { return values.count >= Self.enoughOfSmall ? .fader(isFine: false) : nil }
    return values.count >= Self.most ? .knob(encoding) : nil
  }

  /// Whether there are both directions, with values far apart or on both sides of the middle, which a fader would pass through.
  private func hasTurnedBack(_ encoding: KnobEncoding) -> Bool {
    let counts = values.map(encoding.counts)
    guard counts.contains(where: { $0 > 0 }), counts.contains(where: { $0 < 0 }) else { return false }
    return encoding != .offset || !isMonotonic
  }

  private var isMonotonic: Bool {
    let pairs = zip(values, values.dropFirst())
    return pairs.allSatisfy { $0 <= $1 } || pairs.allSatisfy { $0 >= $1 }
  }
}
