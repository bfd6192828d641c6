internal import Logging
internal import StepperClient
internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperProgram

/// A port of the sequencer that is read. It is identified by its name: it remains while it is unplugged, and is the same port when it
/// returns.
final class MidiPort: BroughtDevice {
  let name: String
  /// Where the port is plugged in; nil: unknown.
  let path: String?
  private let logger: Logger
  private var midi: MidiDevice
  /// The port's current address; nil: it is unplugged.
  private(set) var address: Sequencer.Address?
  /// Sends to the port; false: the kernel has no room at present.
  private var send: ((MidiMessage) -> Bool)?
  private var unsent: ArraySlice<MidiMessage> = []
  private var nextSending = Instant.distantPast
  private var hasNamedExcess = false
  /// Why the port cannot be read although it is there.
  private var problem = StandingProblem()

  /// The least time between two messages to an output.
  private static let sendingPause = Duration.milliseconds(20)

  init(
    _ name: String, path: String?, _ settings: MidiConfiguration, _ inputs: MidiInputs, _ logger: Logger
  ) {
    (self.name, self.path, self.logger) = (name, path, logger)
    midi = MidiDevice(name: name, path: path, settings, inputs)
  }

  var device: ReplaceableDevice {
    get { midi.device }
    set { midi.device = newValue }
  }

  var isPlugged: Bool { address != nil }
  /// Whether another port may take its place, because no answer concerns it any more.
  var isGone: Bool { !isPlugged && device.attachment?.isEnded ?? true }
  private var hasInputs: Bool { !midi.inputs.entries.isEmpty }
  /// Whether moving something on the port has no effect.
  var isInTrouble: Bool { problem.text != nil || isPlugged && hasInputs && !isAttached }
  var messageCount: Int64 { midi.messageCount }

  var trouble: String? {
    guard isPlugged else { return problem.text.map { "\(name) \($0)" } }
    guard hasInputs else { return "\(name): nothing was moved on it yet" }
    return isAttached ? nil : "\(name): it is not a device of stepperd yet"
  }

  /// A path for a port that is plugged in nowhere. It distinguishes the port from present ports of the same name, which have the paths
  /// `others`.
  static func path(besides others: [String?]) -> String? {
    guard others.contains(nil) else { return nil }
    return (2...others.count + 1).lazy.map { "\($0)" }.first { !others.contains($0) }
  }

  // MARK: The sequencer

  func plugIn(
    _ address: Sequencer.Address, at now: Instant, send: ((MidiMessage) -> Bool)?
  ) {
    (self.address, self.send) = (address, send)
    problem.change(to: nil)
    logger.info("\(name) is plugged in")
    midi.plugIn(at: now)
  }

  /// The port is there but cannot be read: it is tried again.
  func note(problem text: String) {
    if problem.change(to: text) != nil { logger.warning("\(name) \(text)") }
  }

  /// The port is no longer there.
  func unplug() {
    problem.change(to: nil)
    guard isPlugged else { return }
    (address, send, unsent) = (nil, nil, [])
    logger.info("\(name) was unplugged")
    midi.unplug()
  }

  func receive(_ message: MidiMessage, at now: Instant) {
    midi.receive(message, at: now)
    guard !hasNamedExcess, let input = midi.excess.first else { return }
    hasNamedExcess = true
    logger.warning(
      """
      \(name): a port has at most \(DeviceDefaults.knobCodes.count) knobs, \(DeviceDefaults.faderCodes.count) faders and \
      \(DeviceDefaults.buttonCodes.count) buttons; \(input.name) and further new inputs are ignored
      """)
  }

  func noteLoss() { midi.noteLoss() }

  /// The inputs discovered since the last call, by name; nil: none.
  func takeFound() -> [String: String]? {
    guard midi.hasFound else { return nil }
    midi.hasFound = false
    return midi.inputs.words
  }

  /// Adds inputs discovered on another port of this name.
  func add(_ words: [String: String], at now: Instant) { midi.add(words, at: now) }

  private func tell(at now: Instant) {
    guard let send else { return _ = midi.takeMessages() }
    if unsent.isEmpty { unsent = ArraySlice(midi.takeMessages()) }
    while let message = unsent.first, send(message) { unsent.removeFirst() }
    nextSending = now + Self.sendingPause
  }

  private var hasMessages: Bool { !unsent.isEmpty || midi.hasMessages }

  // MARK: The daemon

  func take(_ order: ProviderInterface.Order, at now: Instant) { midi.take(order, at: now) }

  func advance(to now: Instant) -> DeviceAttachment.Call? {
    let call = midi.advance(to: now)
    if hasMessages, nextSending <= now { tell(at: now) }
    return call
  }

  var deadline: Instant? {
    .earliest(midi.deadline, hasMessages ? nextSending : nil)
  }
}
