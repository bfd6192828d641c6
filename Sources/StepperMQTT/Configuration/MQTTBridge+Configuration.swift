import StepperCore

/// Configurations that are sent to the board.
extension MQTTBridge {
  /// One that is retained counts as well: a board that was off is given the newest. Reading one costs as much as its
  /// signature, so that there is a limit for all that come, whoever sends them.
  mutating func receivedConfigurationSet(_ message: MQTTMessage, at now: Instant) {
    guard let key = settings.configurationKey, !isClosing, !message.payload.isEmpty else { return }
    guard configurationLimit.take(at: now) else {
      counts.refusedConfigurations += 1
      return
    }
    do throws(SignedConfiguration.Refusal) {
      let configuration = try SignedConfiguration.read(
        message.payload, by: key, for: settings.id, in: settings.groups)
      effects.append(.configure(configuration))
    } catch {
      counts.refusedConfigurations += 1
      switch error {
      case .untrusted(let reason), .misdirected(let reason):
        effects.append(.report(.refusedConfiguration(reason)))
      }
    }
  }

  /// The state came back, or was written by another: then it is published again, after a pause.
  mutating func receivedConfiguration(_ message: MQTTMessage, at now: Instant) {
    guard isOpen, !message.isRetained, !own.take(message) else { return }
    repair(Topics.configurationName, at: now)
  }

  /// What the broker does not have yet.
  mutating func dueConfigurationState() -> MQTTMessage? {
    guard isConfigurationStateDue, settings.configurationKey != nil, !configurationState.isEmpty else {
      return nil
    }
    isConfigurationStateDue = false
    return MQTTMessage(topics.configuration, configurationState, isRetained: true)
  }
}
