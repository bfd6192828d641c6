internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperProgram

/// A SmartKnob on a serial line: a knob with a motor, which makes detents and ends, a push button and a round display.
///
/// Each order numbers the knob's positions anew. The knob reports a configuration number with each position, so that positions in an
/// earlier numbering are understood, and no turn is lost or invented. A configuration that it was not given, or a count of presses that
/// no hand could make, means that the knob has restarted. Its USB bridge stays present meanwhile, so that the port does
/// not close.
struct SmartKnob: BoardProtocol {
  /// Where the knob is plugged in: the name of its table.
  let path: String

  var device = ReplaceableDevice()
  var log = BoardLog()
  private var frame: [UInt8] = []
  private var isTooLong = false

  /// The last reported state; nil: none since the port was opened.
  private var state: SmartKnobMessage.State?
  private var silenceEnd: Instant?
  /// How the knob is to feel; nil: nobody has ordered it.
  private var configuration: SmartKnobConfiguration?
  /// The positions that orders have assigned since the last reported one, with their configuration numbers.
  private var bases: [(nonce: UInt8, position: Int64)] = []
  /// Whether the knob was not told the configuration yet.
  private var isChanged = false
  /// The message that the knob has not acknowledged, and its number.
  private var sent: (nonce: UInt64, message: [UInt8])?
  private var nextSending: Instant?
  private var nonce: UInt64
  private var isDue = false

  private static let retryPause = Duration.milliseconds(250)
  /// The knob reports its state every five seconds.
  private static let longestSilence = Duration.seconds(12)
  /// No hand makes more presses than this between two states.
  private static let mostPushes: UInt8 = 8
  /// Fewer than there are configuration numbers.
  private static let mostBases = 128
  static let dial = "REL_DIAL"
  static let button = "BTN_0"
  static let output = "knob"
  static let display = "display"

  /// `nonce` is the number of the first message. It is random because the knob ignores a message with the same number as the last one.
  init(path: String, nonce: UInt64 = .random(in: 1...(1 << 30))) { (self.path, self.nonce) = (path, nonce) }

  var name: String? { state == nil ? nil : "SmartKnob" }

  // MARK: The line

  mutating func opened(at now: Instant) {
    (frame, isTooLong) = ([], false)
    ask(at: now)
  }

  mutating func closed() {
    forget()
    nextSending = nil
  }

  private mutating func forget() {
    (state, silenceEnd, sent, configuration, isChanged) = (nil, nil, nil, nil, false)
    bases = []
    device.end()
  }

  mutating func receive(_ bytes: [UInt8], at now: Instant) {
    for byte in bytes {
      if byte != 0 {
        if frame.count < SmartKnobFrame.limit { frame.append(byte) } else { isTooLong = true }
        continue
      }
      if !frame.isEmpty { take(frame, at: now) }
      (frame, isTooLong) = ([], false)
    }
  }

  private mutating func take(_ frame: [UInt8], at now: Instant) {
    guard !isTooLong, let bytes = SmartKnobFrame.decode(frame) else {
      return log.note(
        frame, "it is not a frame of a SmartKnob; baud may be wrong, or the knob has just started")
    }
    do throws(ProtobufReader.Misfit) {
      guard let message = try SmartKnobMessage(bytes) else {
        return log.note(
          frame,
          "it has another version of the protocol; this program supports version \(SmartKnobMessage.version)")
      }
      log.lines += 1
      switch message {
      case .acknowledged(let nonce): if sent?.nonce == nonce { acknowledge(at: now) }
      case .state(let state): take(state, at: now)
      case .log: break
      }
    } catch {
      log.note(frame, "it is no message of a SmartKnob")
    }
  }

  private mutating func take(_ new: SmartKnobMessage.State, at now: Instant) {
    silenceEnd = now + Self.longestSilence
    guard let former = state else {
      state = new
      device.become(declaration, at: now)
      return
    }
    state = new
    let pushes = new.presses &- former.presses
    guard pushes <= Self.mostPushes, let base = base(of: new, after: former) else {
      return hasBegunAgain(new, after: former, at: now)
    }
    let counts = new.position.subtractingSaturating(base)
    if counts != 0, counts.magnitude <= 1_000 { device.add(Self.dial, counts, at: now) }
    for _ in 0..<pushes {
      device.add(Self.button, 1, at: now)
      device.add(Self.button, 0, at: now)
    }
  }

  /// The position before `new`, in the numbering of `new`; nil: the knob uses a numbering that it was not given.
  private mutating func base(of new: SmartKnobMessage.State, after former: SmartKnobMessage.State) -> Int64? {
    guard new.positionNonce != former.positionNonce else { return former.position }
    // The ordered position is where the knob stood when it took the order.
    guard let index = bases.lastIndex(where: { $0.nonce == new.positionNonce }) else { return nil }
    defer { bases.removeFirst(index + 1) }
    return bases[index].position
  }

  /// The knob has restarted and forgotten how it is to feel: it is told again, and the daemon is told the knob's state.
  private mutating func hasBegunAgain(
    _ new: SmartKnobMessage.State, after former: SmartKnobMessage.State, at now: Instant
  ) {
    device.reset()
    (bases, sent) = ([], nil)
    guard var next = configuration else {
      nextSending = nil
      return
    }
    if next.positionNonce == former.positionNonce { next.position = former.position }
    next.positionNonce = new.positionNonce &+ 1
    change(to: next, at: now)
  }

  private var declaration: ProviderInterface.Attach.Parameters {
    .init(
      identity: .init(provider: "serial", name: "SmartKnob", path: path), keys: [Self.button],
      relative: [.init(code: Self.dial)],
      outputs: [
        .init(name: Self.output, kind: .detents, axis: Self.dial),
        .init(name: Self.display, kind: .text, axis: Self.dial),
      ], leaseMilliseconds: DeviceDefaults.leaseMilliseconds)
  }

  // MARK: What it is told

  mutating func take(_ order: ProviderInterface.Order, at now: Instant) {
    guard order.handle == device.handle else { return }
    var new = configuration ?? freeConfiguration
    if let detents = order.detents {
      feel(detents, &new)
    } else if let text = order.text {
      new.text = fitted([text.title, text.valueWithUnit].filter { !$0.isEmpty }.joined(separator: "\n"), 50)
    } else {
      return
    }
    change(to: new, at: now)
  }

  private mutating func change(to new: SmartKnobConfiguration, at now: Instant) {
    configuration = new
    if bases.last?.nonce != new.positionNonce { bases.append((new.positionNonce, new.position)) }
    if bases.count > Self.mostBases { bases.removeFirst() }
    isChanged = true
    if sent == nil { nextSending = now }
  }

  /// The configuration without an order: the knob stays where it is and turns without end.
  private var freeConfiguration: SmartKnobConfiguration {
    SmartKnobConfiguration(
      position: state?.position ?? 0, positionNonce: (state?.positionNonce ?? 0) &+ 1)
  }

  private func feel(_ detents: ProviderInterface.Detents, _ new: inout SmartKnobConfiguration) {
    // The knob counts with 32 bits: greater numbers are counted relative to its current position.
    let most = Int64(1) << 30
    let isFar = [detents.position, detents.minimum ?? 0, detents.maximum ?? 0].contains {
      $0.magnitude > most
    }
    let origin = isFar ? detents.position : 0
    func number(_ detent: Int64?, _ end: Int64) -> Int64 {
      detent.map { min(max($0.subtractingSaturating(origin), -most), most) } ?? end
    }
    new.position = number(detents.position, 0)
    new.positionNonce &+= 1
    let isFree = detents.wraps || detents.minimum == nil && detents.maximum == nil
    let (lower, upper) = (number(detents.minimum, -most), number(detents.maximum, most))
    new.bounds = isFree || lower > upper ? nil : lower...upper
    new.strength = Float(min(max(detents.strength, 0), 1))
  }

  private mutating func ask(at now: Instant) {
    nonce += 1
    sent = (nonce, SmartKnobConfiguration.request(nonce))
    nextSending = now
  }

  private mutating func acknowledge(at now: Instant) {
    (sent, nextSending) = (nil, nil)
    if isChanged { nextSending = now }
  }

  mutating func takeOutput() -> [UInt8] {
    isDue = false
    if sent == nil, isChanged, let configuration {
      nonce += 1
      sent = (nonce, configuration.message(nonce))
      isChanged = false
    }
    // The leading zero ends whatever was sent before, and makes a knob that has just started report.
    return sent.map { [0] + SmartKnobFrame.encode($0.message) } ?? []
  }

  var hasOutput: Bool { isDue }

  // MARK: Time

  mutating func advance(to now: Instant) -> DeviceAttachment.Call? {
    if let end = silenceEnd, end <= now {
      forget()
      ask(at: now)
    }
    if let due = nextSending, due <= now { (isDue, nextSending) = (true, now + Self.retryPause) }
    return device.advance(to: now)
  }

  var deadline: Instant? { .earliest(.earliest(silenceEnd, nextSending), device.deadline) }
}
