internal import Logging
internal import StepperClient
internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperProgram

/// A port of the sequencer that is read, by its name: while it is unplugged it stays, and is the same one when it comes back.
final class MidiPort: BroughtDevice {
  let name: String
  /// Where it is plugged in; nil: unknown.
  let path: String?
  private let logger: Logger
  private var midi: MidiDevice
  /// Where it is at present; nil: it is unplugged.
  private(set) var address: Sequencer.Address?
  /// Sends to it; false: the kernel has no room at present.
  private var send: ((MidiMessage) -> Bool)?
  private var unsent: ArraySlice<MidiMessage> = []
  private var nextSending = Instant.distantPast
  private var hasNamedExcess = false
  /// Why it cannot be read although it is there.
  private var problem: String?

  /// So often, at most, is each output told.
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
  /// Whether another port may have its place: nothing is, or will be, answered to it.
  var isGone: Bool { !isPlugged && device.attachment?.isEnded ?? true }
  private var hasInputs: Bool { !midi.inputs.entries.isEmpty }
  /// Whether something is on it that moves nothing.
  var isInTrouble: Bool { problem != nil || isPlugged && hasInputs && !isAttached }
  var messageCount: Int64 { midi.messageCount }

  var trouble: String? {
    guard isPlugged else { return problem.map { "\(name) \($0)" } }
    guard hasInputs else { return "\(name): nothing was moved on it yet" }
    return isAttached ? nil : "\(name): stepperd does not have it yet"
  }

  /// Of one that is plugged in nowhere: by it the daemon tells it from the equal ones that are there, which have these.
  static func path(besides others: [String?]) -> String? {
    guard others.contains(nil) else { return nil }
    return (2...others.count + 1).lazy.map { "\($0)" }.first { !others.contains($0) }
  }

  // MARK: The sequencer

  func plugIn(
    _ address: Sequencer.Address, at now: Instant, send: ((MidiMessage) -> Bool)?
  ) {
    (self.address, self.send, problem) = (address, send, nil)
    logger.info("\(name) is plugged in")
    midi.plugIn(at: now)
  }

  /// It is there, and cannot be read: it is tried again.
  func note(problem: String) {
    guard problem != self.problem else { return }
    self.problem = problem
    logger.warning("\(name) \(problem)")
  }

  /// It is not there.
  func unplug() {
    problem = nil
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
      \(name): \(input.name) and what else is new on it have no place: a port has \(MidiInputs.knobCodes.count) knobs, \
      \(MidiInputs.faderCodes.count) faders and \(MidiInputs.buttonCodes.count) buttons at most
      """)
  }

  func noteLoss() { midi.noteLoss() }

  /// What was found since the last call, by the name of the input; nil: nothing was.
  func takeFound() -> [String: String]? {
    guard midi.hasFound else { return nil }
    midi.hasFound = false
    return midi.inputs.words
  }

  /// What was found on another port of this name.
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
