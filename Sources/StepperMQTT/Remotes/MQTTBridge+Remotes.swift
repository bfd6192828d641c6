import StepperClient
import StepperCore

/// The knobs and remotes of radio networks.
extension MQTTBridge {
  /// Handles a message if it belongs to one of the remotes. Returns whether it does.
  mutating func receivedOfRemote(_ message: MQTTMessage, at now: Instant) -> Bool {
    guard let index = remotes.firstIndex(where: { $0.settings.topic == message.topic }) else { return false }
    guard !isClosing else { return true }
    switch remotes[index].receive(message, at: now) {
    case .taken, .ignored: break
    case .tooMany: noteDropped(message.topic)
    case .unknown(let action):
      let failure = MQTTCallFailure(
        code: "unknownAction",
        message:
          "the action '\(CommandPayload.excerpt(action))' is unknown for this kind of remote, and does nothing; check kind in [mqtt.remote.\(remotes[index].settings.name)]"
      )
      effects.append(.report(.refused(topic: message.topic, failure)))
    }
    return true
  }

  /// An answer to ``MQTTBridgeEffect/provide(_:_:)``.
  mutating func provided(_ index: Int, _ answer: DeviceAttachment.Answer, at now: Instant) {
    guard remotes.indices.contains(index) else { return }
    let before = remotes[index].attachment.refusal
    remotes[index].answered(answer, at: now)
    if remotes[index].attachment.refusal != before, let report = refusal(of: remotes[index]) {
      effects.append(.report(report))
    }
  }

  /// Does what is due, and requests the calls to the daemon that the remotes need.
  mutating func advanceRemotes(to now: Instant) {
    guard !isClosing, link != .idle else { return }
    for index in remotes.indices {
      if let call = remotes[index].advance(to: now, isHeard: isSubscribed) {
        effects.append(.provide(index, call))
      }
    }
  }

  private func refusal(of remote: RemoteDevice) -> MQTTBridgeReport? {
    guard case .refused(let code, let message)? = remote.attachment.refusal else { return nil }
    return .remoteRefused(
      name: remote.settings.name, MQTTCallFailure(code: code, message: message))
  }

  /// A remote whose device the daemon refuses; nil: as far as is known, it has all of them.
  package var remoteProblem: MQTTBridgeReport? { remotes.lazy.compactMap(refusal).first }
}
