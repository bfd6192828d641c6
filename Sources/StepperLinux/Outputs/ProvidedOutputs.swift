package import StepperCore
internal import SystemPackage

/// The outputs of a device that a program has attached. They produce orders, which the caller passes to that program.
package final class ProvidedOutputs {
  /// An order for the program.
  package enum Order: Hashable, Sendable {
    case effect(FeedbackEffect, strength: Double, output: String)
    /// The brightness of a light has changed; see ``brightness(of:)``.
    case light(String)
  }

  private let effect: String?
  private let names: [String]
  private var brightnesses: [String: Double] = [:]
  private var orders: [Order] = []
  /// Strength of effects, 0…1.
  package internal(set) var gain = 1.0

  /// `effect` is the name of the output that plays effects; nil: there is none.
  package init(effect: String?, lights: [String]) { (self.effect, names) = (effect, lights) }

  /// The brightness, 0…1; nil: it was never set.
  package func brightness(of light: String) -> Double? { brightnesses[light] }

  /// The orders since the last call, in their order.
  package func takeOrders() -> [Order] {
    guard !orders.isEmpty else { return [] }
    defer { orders = [] }
    return orders
  }

  var effects: (any PulseOutput)? { effect.map { ProvidedEffects(name: $0, outputs: self) } }
  var lights: [Light] { names.map { Light($0, .provider, driver(of: $0)) } }

  private func driver(of light: String) -> LightDriver {
    let maximum = 10_000
    return LightDriver(maximumLevel: maximum) { self.show(Double($0) / Double(maximum), on: light) }
  }

  fileprivate func play(_ effect: FeedbackEffect, strength: Double, on output: String) {
    orders.append(.effect(effect, strength: strength * gain, output: output))
  }

  private func show(_ brightness: Double, on light: String) {
    brightnesses[light] = brightness
    orders.append(.light(light))
  }
}

/// One order plays the whole effect: the program makes the pulses and ends them.
private struct ProvidedEffects: PulseOutput {
  let name: String
  let outputs: ProvidedOutputs

  var endsByItself: Bool { true }

  func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) throws(Errno) {
    outputs.play(pattern.effect, strength: pattern.strength, on: name)
  }

  func end() throws(Errno) {}
}
