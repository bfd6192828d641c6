internal import StepperClient
internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces

/// A MIDI port as a device of the daemon, without I/O and without a clock.
///
/// A port does not report which inputs it has: they are discovered when they send something, and are kept for the next time. Whenever one
/// is discovered, the device is replaced by one that includes it.
struct MidiDevice {
  /// The name of the port.
  let name: String
  /// Where the port is plugged in; nil: unknown.
  let path: String?
  let settings: MidiConfiguration
  var device = ReplaceableDevice()
  private(set) var inputs: MidiInputs
  /// Whether ``inputs`` have changed since the last call of whoever saves them, who resets this.
  var hasFound = false
  /// Controllers that have sent something but are not identified yet.
  private var observed = MidiObservations()
  /// The encodings that the values of each knob permit, by which a wrong encoding is replaced.
  private var evidence: [MidiInput: [KnobEncoding]] = [:]
  private var isPlugged = false
  /// The inputs without a code, because there are more inputs than codes.
  private(set) var excess: Set<MidiInput> = []
  private(set) var messageCount: Int64 = 0

  // The last controller of each channel.
  private var last: [Int: (number: Int, time: Instant)] = [:]
  /// The upper seven bits of fine faders, and the times after which they count without the lower ones.
  private var high: [MidiInput: Int] = [:]
  private var halves: [MidiInput: Instant] = [:]
  private var pairs: [MidiInput: Int] = [:]
  private var parameterChannels: Set<Int> = []
  /// The positions of faders.
  var positions: [MidiInput: Int] = [:]
  /// The faders that a motor is moving.
  var travels: [MidiInput: MotorTravel] = [:]
  /// The touch keys that have been pressed at least once: their faders count as moved by hand only while the key is down.
  private(set) var touches: Set<String> = []

  /// The messages that show and move things: the latest ones of each output.
  var messages: [String: [MidiMessage]] = [:]

  /// A controller sends both halves of a value at once; a hand on two controllers does not.
  private static let enoughPairs = 3
  private static let pairTime = Duration.milliseconds(3)
  /// After this time the lower half no longer comes: a controller may omit it if it is 0.
  private static let halfTime = Duration.milliseconds(20)

  /// `inputs` were discovered earlier.
  init(name: String, path: String?, _ settings: MidiConfiguration, _ inputs: MidiInputs) {
    (self.name, self.path, self.settings) = (name, path, settings)
    self.inputs = settings.protocol == .mackie ? MackieControl.inputs : inputs
    // Inputs whose kind contradicts the table are discovered again, by the table.
    for knob in settings.knobs { drop(knob) { if case .knob = $0 { true } else { false } } }
    for fader in settings.faders { drop(fader) { if case .fader = $0 { true } else { false } } }
  }

  /// Forgets a discovered input if its kind is wrong.
  private mutating func drop(_ input: MidiInput, unless isRight: (MidiInputs.Kind) -> Bool) {
    guard let entry = inputs.entries[input], !isRight(entry.kind) else { return }
    inputs.remove(input)
    hasFound = true
  }

  var isMackie: Bool { settings.protocol == .mackie }

  // MARK: The port

  mutating func plugIn(at now: Instant) {
    isPlugged = true
    declare(goesOn: false, at: now)
  }

  mutating func unplug() {
    isPlugged = false
    (messages, observed, travels, touches) = ([:], MidiObservations(), [:], [])
    forgetPairs()
    device.end()
  }

  private mutating func declare(goesOn: Bool, at now: Instant) {
    guard isPlugged, !inputs.entries.isEmpty else { return }
    messages = [:]
    device.become(inputs.attach(name: name, path: path, outputs: outputs), goesOn: goesOn, at: now)
  }

  /// Messages were lost: keys may be up, hands may have come and gone, and faders may have moved.
  mutating func noteLoss() {
    touches = []
    forgetPairs()
    device.reset()
  }

  private mutating func forgetPairs() { (pairs, high, halves, last) = ([:], [:], [:], [:]) }

  // MARK: What it sends

  mutating func receive(_ message: MidiMessage, at now: Instant) {
    messageCount += 1
    switch message {
    case .note(let channel, let number, let velocity):
      press(.note(channel: channel, number: number), velocity > 0, at: now)
    case .controller(let channel, let number, let value):
      control(channel, number, value, at: now)
    case .bend(let channel, let value):
      let input = MidiInput.bend(channel: channel)
      if inputs.entries[input] == nil { find(input, .fader(isFine: true), at: now) }
      move(input, to: value, at: now)
    case .exclusive: break
    }
  }

  private mutating func press(_ input: MidiInput, _ isDown: Bool, at now: Instant) {
    guard let entry = inputs.entries[input] else {
      if isDown { find(input, .button, at: now) }
      return
    }
    if isDown { touches.insert(entry.code) }
    device.add(entry.code, isDown ? 1 : 0, at: now)
    if isMackie, !isDown { confirm(input, at: now) }
  }

  private mutating func move(_ input: MidiInput, to value: Int, at now: Instant) {
    guard let entry = inputs.entries[input] else { return }
    positions[input] = value
    guard !isOfMotor(input, entry, value, at: now) else { return }
    device.add(entry.code, Int64(value), at: now)
  }

  /// Whether the fader was moved there by its motor and not by a hand.
  private mutating func isOfMotor(
    _ input: MidiInput, _ entry: MidiInputs.Entry, _ value: Int, at now: Instant
  ) -> Bool {
    if let touch = entry.touch, touches.contains(touch) {
      return !device.keysDown.contains(touch)
    }
    guard travels[input] != nil else { return false }
    if travels[input]?.explains(value, at: now) == true { return true }
    travels[input] = nil
    return false
  }

  private mutating func control(_ channel: Int, _ number: Int, _ value: Int, at now: Instant) {
    // The remaining numbers are channel mode messages.
    guard number < 120 else { return }
    let former = last.updateValue((number, now), forKey: channel)
    let isNext = former.map { $0.number == number - 32 && now - $0.time <= Self.pairTime } ?? false
    if (98...101).contains(number) { parameterChannels.insert(channel) }
    // Skips the numbers of parameters and the values that follow them.
    guard !(98...101).contains(number),
      ![6, 38, 96, 97].contains(number) || !parameterChannels.contains(channel)
    else { return }
    let input = MidiInput.controller(channel: channel, number: number)
    if (32..<64).contains(number), takeLow(input, value, isNext: isNext, at: now) { return }
    // The same controller was repeated without another in between, so it has no second half.
    if former?.number == number { pairs[input] = nil }
    guard let entry = inputs.entries[input] else { return observe(input, value, at: now) }
    switch entry.kind {
    case .button: device.add(entry.code, value >= 64 ? 1 : 0, at: now)
    case .fader(isFine: false):
      move(input, to: value, at: now)
    case .fader(isFine: true):
      // If the lower bits never arrive, the next upper bits count without them.
      high[input] = value
      if halves.updateValue(now + Self.halfTime, forKey: input) != nil {
        move(input, to: value << 7, at: now)
      }
    case .knob(let encoding): turn(input, entry, encoding, value, at: now)
    }
  }

  /// Handles upper halves whose lower half did not arrive.
  private mutating func endHalves(at now: Instant) {
    for (input, end) in halves where end <= now {
      halves[input] = nil
      if let high = high[input], positions[input] != high << 7 { move(input, to: high << 7, at: now) }
    }
  }

  /// Returns whether these seven bits are the lower half of a fader's value. `isNext`: they directly followed the upper half.
  private mutating func takeLow(_ low: MidiInput, _ value: Int, isNext: Bool, at now: Instant) -> Bool {
    guard case .controller(let channel, let number) = low, inputs.entries[low] == nil else { return false }
    let input = MidiInput.controller(channel: channel, number: number - 32)
    switch inputs.entries[input]?.kind {
    case .fader(isFine: true):
      halves[input] = nil
      if let high = high[input] { move(input, to: high << 7 | value, at: now) }
      return true
    case .fader(isFine: false), nil:
      guard isNext else { return false }
      pairs[input, default: 0] += 1
      if pairs[input, default: 0] >= Self.enoughPairs { findFine(input, at: now) }
      return true
    case .knob, .button: return false
    }
  }

  private mutating func turn(
    _ input: MidiInput, _ entry: MidiInputs.Entry, _ encoding: KnobEncoding, _ value: Int, at now: Instant
  ) {
    var encoding = isMackie ? encoding : settings.encoding ?? encoding
    if settings.encoding == nil, !isMackie {
      let known = evidence[input] ?? KnobEncoding.allCases
      let left = known.filter { $0.isPlausible(value) }
      if !left.isEmpty { evidence[input] = left }
      if let first = left.first, !left.contains(encoding) {
        encoding = first
        inputs.change(input, to: .knob(first))
        hasFound = true
      }
    }
    let counts = encoding.counts(value)
    if counts != 0 { device.add(entry.code, Int64(counts), at: now) }
  }

  // MARK: Finding

  private mutating func observe(_ input: MidiInput, _ value: Int, at now: Instant) {
    guard !isMackie, !excess.contains(input) else { return }
    if settings.knobs.contains(input) {
      let encoding = settings.encoding ?? KnobEncoding.plausible([value]).first ?? .complement
      return find(input, .knob(encoding), at: now)
    }
    if settings.faders.contains(input) { return find(input, .fader(isFine: false), at: now) }
    // A controller that is one of two halves is no longer observed.
    guard pairs[input] == nil, let kind = observed.add(value, of: input) else { return }
    if case .knob = kind, let encoding = settings.encoding {
      find(input, .knob(encoding), at: now)
    } else {
      find(input, kind, at: now)
    }
  }

  private mutating func find(_ input: MidiInput, _ kind: MidiInputs.Kind, at now: Instant) {
    guard !isMackie, !excess.contains(input) else { return }
    guard inputs.add(input, kind) else {
      excess.insert(input)
      return
    }
    foundAnother(at: now)
  }

  private mutating func findFine(_ input: MidiInput, at now: Instant) {
    guard inputs.entries[input] != nil else { return find(input, .fader(isFine: true), at: now) }
    inputs.change(input, to: .fader(isFine: true))
    foundAnother(at: now)
  }

  /// Adds inputs discovered on another port of the same name, whose inputs have the same codes.
  mutating func add(_ words: [String: String], at now: Instant) {
    if !isMackie, inputs.add(words) { declare(goesOn: true, at: now) }
  }

  private mutating func foundAnother(at now: Instant) {
    hasFound = true
    declare(goesOn: true, at: now)
  }

  // MARK: The daemon

  mutating func advance(to now: Instant) -> DeviceAttachment.Call? {
    endTravels(at: now)
    endHalves(at: now)
    return device.advance(to: now)
  }

  var deadline: Instant? {
    .earliest(.earliest(travels.values.map(\.end).min(), halves.values.min()), device.deadline)
  }
}
