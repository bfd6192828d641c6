internal import StepperConfiguration
internal import StepperInterfaces
internal import StepperProgram

/// The inputs of a port. Each has a kind and a kernel code, which it keeps.
struct MidiInputs: Hashable {
  /// The kind of an input.
  enum Kind: Hashable {
    case knob(KnobEncoding)
    /// A fader of 7 bits. `isFine`: of 14 bits, sent by two controllers or the pitch bend.
    case fader(isFine: Bool)
    case button
  }

  struct Entry: Hashable {
    var kind: Kind
    let code: String
    /// The code of the key that reports a hand on the fader.
    var touch: String?
  }

  private(set) var entries: [MidiInput: Entry] = [:]
  private var inputs: [String: MidiInput] = [:]

  // MARK: Codes

  private static func codes(of kind: Kind) -> [String] {
    switch kind {
    case .knob: DeviceDefaults.knobCodes
    case .fader: DeviceDefaults.faderCodes
    case .button: DeviceDefaults.buttonCodes
    }
  }

  /// The input with this code, which an output shows or moves.
  func input(withCode code: String) -> MidiInput? { inputs[code] }

  /// Gives an input the first free code; false: there is none.
  mutating func add(_ input: MidiInput, _ kind: Kind, touch: MidiInput? = nil) -> Bool {
    guard entries[input] == nil, let code = Self.codes(of: kind).first(where: { inputs[$0] == nil }) else {
      return false
    }
    entries[input] = Entry(kind: kind, code: code, touch: touch.flatMap { entries[$0]?.code })
    inputs[code] = input
    return true
  }

  mutating func remove(_ input: MidiInput) {
    if let entry = entries.removeValue(forKey: input) { inputs[entry.code] = nil }
  }

  /// Changes an input to a kind of the same sort that is reported in another way.
  mutating func change(_ input: MidiInput, to kind: Kind) { entries[input]?.kind = kind }

  // MARK: The device

  static let range: ClosedRange<Int64> = 0...127
  static let fineRange: ClosedRange<Int64> = 0...16_383

  /// The call that attaches the device. `outputs` are the things that can be shown and moved.
  func attach(
    name: String, path: String?, outputs: [ProviderInterface.Output]
  ) -> ProviderInterface.Attach.Parameters {
    let all = entries.values.sorted { $0.code < $1.code }
    return .init(
      identity: .init(provider: "midi", name: name, path: path),
      keys: all.filter { $0.kind == .button }.map(\.code),
      relative: all.compactMap { entry in
        guard case .knob = entry.kind else { return nil }
        return .init(code: entry.code)
      },
      absolute: all.compactMap { entry in
        guard case .fader(let isFine) = entry.kind else { return nil }
        let range = isFine ? Self.fineRange : Self.range
        return .init(
          code: entry.code, minimum: range.lowerBound, maximum: range.upperBound, touch: entry.touch)
      }, outputs: outputs, leaseMilliseconds: DeviceDefaults.leaseMilliseconds)
  }

  // MARK: Words

  /// Each input by its name, as a text of its kind and its code.
  var words: [String: String] {
    .init(uniqueKeysWithValues: entries.map { ($0.key.name, "\($0.value.kind.word) \($0.value.code)") })
  }

  init() {}

  init(words: [String: String]) { _ = add(words) }

  /// Adds inputs by their ``words``, unless they exist already. Returns whether any were added. Invalid words are left out: they are from
  /// a file of another version.
  mutating func add(_ words: [String: String]) -> Bool {
    let count = entries.count
    for (name, text) in words.sorted(by: { $0.key < $1.key }) {
      let parts = text.split(separator: " ").map(String.init)
      guard parts.count == 2, let input = MidiInput(name: name), let kind = Kind(word: parts[0]),
        Self.codes(of: kind).contains(parts[1]), entries[input] == nil, inputs[parts[1]] == nil
      else { continue }
      entries[input] = Entry(kind: kind, code: parts[1])
      inputs[parts[1]] = input
    }
    return entries.count > count
  }
}

extension MidiInputs.Kind {
  var word: String {
    switch self {
    case .knob(let encoding): "knob-\(encoding.rawValue)"
    case .fader(isFine: false): "fader"
    case .fader(isFine: true): "fine-fader"
    case .button: "button"
    }
  }

  init?(word: String) {
    switch word {
    case "fader": self = .fader(isFine: false)
    case "fine-fader": self = .fader(isFine: true)
    case "button": self = .button
    default:
      guard word.hasPrefix("knob-"), let encoding = KnobEncoding(rawValue: String(word.dropFirst(5))) else {
        return nil
      }
      self = .knob(encoding)
    }
  }
}
