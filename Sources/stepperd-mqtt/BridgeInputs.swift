internal import StepperCore
internal import StepperMQTT

/// What has happened, until it is handled.
final class BridgeInputs {
  private var waiting: [MQTTBridgeInput] = []

  func append(_ input: MQTTBridgeInput) { waiting.append(input) }

  /// Hands over everything, also what follows from it at `broker`. Nothing is read from the network meanwhile, so that it
  /// ends whatever others send.
  func drain(_ broker: BrokerLink?, at now: Instant, _ handle: (MQTTBridgeInput) -> Void) {
    while !waiting.isEmpty {
      let happened = waiting
      waiting = []
      for input in happened { handle(input) }
      broker?.settle(at: now)
    }
  }
}
