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
  private var device: MidiDevice
  private var orders: OrderChannel?
  /// Where it is at present; nil: it is unplugged.
  private(set) var address: Sequencer.Address?
  /// Sends to it; false: the kernel has no room at present.
  private var send: ((MidiMessage) -> Bool)?
  private var unsent: ArraySlice<MidiMessage> = []
  private var nextSending = Instant.distantPast
  private var refusals = AttachmentLog()
  private var hasNamedExcess = false
  /// Why it cannot be read although it is there.
  private var problem: String?

  /// So often, at most, is each output told.
  private static let sendingPause = Duration.milliseconds(20)

  init(
    _ name: String, path: String?, _ settings: MidiConfiguration, _ inputs: MidiInputs, on loop: EventLoop,
    to addresses: [StepperAddress], _ logger: Logger
  ) {
    (self.name, self.path, self.logger) = (name, path, logger)
    device = MidiDevice(name: name, path: path, settings, inputs)
    orders = OrderChannel(on: loop, to: addresses) { [weak self] in self?.device.take($0, at: loop.now) }
  }

  var isPlugged: Bool { address != nil }
  /// Whether another port may have its place: nothing is, or will be, answered to it.
  var isGone: Bool { !isPlugged && device.device.attachment?.isEnded ?? true }
  var isAttached: Bool { device.isAttached }
  private var hasInputs: Bool { !device.inputs.entries.isEmpty }
  /// Whether something is on it that moves nothing.
  var isInTrouble: Bool { problem != nil || isPlugged && hasInputs && !isAttached }
  var messageCount: Int64 { device.messageCount }

  var trouble: String? {
    guard isPlugged else { return problem.map { "\(name) \($0)" } }
    if let refusal = refusalText { return "\(name): \(refusal)" }
    guard hasInputs else { return "\(name): nothing was moved on it yet" }
    return isAttached ? nil : "\(name): stepperd does not have it yet"
  }

  private var refusalText: String? { device.device.attachment?.refusalText(of: .midi) }

  // MARK: The sequencer

  func plugIn(
    _ address: Sequencer.Address, at now: Instant, send: ((MidiMessage) -> Bool)?
  ) {
    (self.address, self.send, problem) = (address, send, nil)
    logger.info("\(name) is plugged in")
    device.plugIn(at: now)
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
    device.unplug()
  }

  func receive(_ message: MidiMessage, at now: Instant) {
    device.receive(message, at: now)
    guard !hasNamedExcess, let input = device.excess.first else { return }
    hasNamedExcess = true
    logger.warning(
      """
      \(name): \(input.name) and what else is new on it have no place: a port has \(MidiInputs.knobCodes.count) knobs, \
      \(MidiInputs.faderCodes.count) faders and \(MidiInputs.buttonCodes.count) buttons at most
      """)
  }

  func noteLoss() { device.noteLoss() }

  /// What was found since the last call, by the name of the input; nil: nothing was.
  func takeFound() -> [String: String]? {
    guard device.hasFound else { return nil }
    device.hasFound = false
    return device.inputs.words
  }

  private func tell(at now: Instant) {
    guard let send else { return _ = device.takeMessages() }
    if unsent.isEmpty { unsent = ArraySlice(device.takeMessages()) }
    while let message = unsent.first, send(message) { unsent.removeFirst() }
    nextSending = now + Self.sendingPause
  }

  private var hasMessages: Bool { !unsent.isEmpty || device.hasMessages }

  // MARK: The daemon

  func answered(_ answer: DeviceAttachment.Answer, at now: Instant) {
    device.answered(answer, at: now)
    refusals.note(device.device.attachment, of: .midi, named: name, logger)
  }

  func connectionEnded(at now: Instant) { device.connectionEnded(at: now) }

  func advance(to now: Instant) -> DeviceAttachment.Call? {
    orders?.advance(to: now)
    let call = device.advance(to: now)
    if orders?.follow(device.device.handleOfOutputs) ?? false { device.ordersLost() }
    if hasMessages, nextSending <= now { tell(at: now) }
    return call
  }

  var deadline: Instant? {
    .earliest(.earliest(orders?.deadline, device.deadline), hasMessages ? nextSending : nil)
  }
}
