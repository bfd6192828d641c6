import StepperCore

/// Configurations that are sent to the board.
extension MQTTBridge {
  /// Handles a message with a configuration. Retained ones count as well, so that a board that was off gets the newest. Each message
  /// costs a check of its signature; therefore all of them are limited, whoever sends them.
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

  /// The state came back, or somebody else has overwritten it. In that case it is published again after a pause.
  mutating func receivedConfiguration(_ message: MQTTMessage, at now: Instant) {
    guard isOpen, !message.isRetained, !own.take(message) else { return }
    repair(Topics.configurationName, at: now)
  }

  /// The state of the configuration that the broker does not have yet; nil: it has it.
  mutating func dueConfigurationState() -> MQTTMessage? {
    guard isConfigurationStateDue, settings.configurationKey != nil, !configurationState.isEmpty else {
      return nil
    }
    isConfigurationStateDue = false
    return MQTTMessage(topics.configuration, configurationState, isRetained: true)
  }
}
