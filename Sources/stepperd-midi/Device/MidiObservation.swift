internal import StepperConfiguration

/// Controllers that have sent something, and are not known yet: those that have sent last, where there are more than anybody moves.
struct MidiObservations: Hashable {
  private var all: [MidiInput: MidiObservation] = [:]
  /// Those that have sent last at the end.
  private var order: [MidiInput] = []

  static let most = 64

  /// Adds a value; returns what the controller is, nil while that is not known. One that is known is not kept.
  mutating func add(_ value: Int, of input: MidiInput) -> MidiObservation.Kind? {
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

/// What a controller is, found by the values that it sends.
///
/// A fader sends where it is: neighbours, and none twice. A knob sends how far it was turned: the same again, or both directions. A
/// button sends 127 and 0.
struct MidiObservation: Hashable {
  enum Kind: Hashable { case knob(KnobEncoding), fader, button }

  private var values: [Int] = []

  /// So many tell a fader, if nothing else does; more where a knob could send them.
  private static let enough = 4
  private static let enoughOfSmall = 6
  /// A knob that is turned one way at different speeds sends small values that go up and down.
  private static let most = 8

  /// Adds a value; returns what the controller is, nil while that is not known.
  mutating func add(_ value: Int) -> Kind? {
    let last = values.last
    values.append(value)
    guard let last else { return nil }
    if Set(values) == [0, 127] { return .button }
    let encodings = KnobEncoding.plausible(values)
    if let encoding = encodings.first, last == value || hasTurnedBack(encoding) { return .knob(encoding) }
    guard values.count >= Self.enough else { return nil }
    guard let encoding = encodings.first else { return .fader }
    if isMonotonic { return values.count >= Self.enoughOfSmall ? .fader : nil }
    return values.count >= Self.most ? .knob(encoding) : nil
  }

  /// Both directions, with values that are far from each other or on both sides of the middle, which a fader passes.
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
