internal import StepperCore
internal import StepperMQTT

/// Queues events until they are handled.
final class BridgeInputs {
  private var waiting: [MQTTBridgeInput] = []

  func append(_ input: MQTTBridgeInput) { waiting.append(input) }

  /// Handles all queued events, and those that result from them at `broker`. Nothing is read from the network meanwhile, so that this
  /// method ends whatever others send.
  func drain(_ broker: BrokerLink?, at now: Instant, _ handle: (MQTTBridgeInput) -> Void) {
    while !waiting.isEmpty {
      let happened = waiting
      waiting = []
      for input in happened { handle(input) }
      broker?.settle(at: now)
    }
  }
}
