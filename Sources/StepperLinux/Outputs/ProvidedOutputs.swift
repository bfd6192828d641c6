package import StepperCore
internal import SystemPackage

/// The outputs of a device that a program has attached. What they are to do are orders, which the caller passes to that
/// program.
package final class ProvidedOutputs {
  /// Something to do.
  package enum Order: Hashable, Sendable {
    case effect(FeedbackEffect, strength: Double, output: String)
    /// A light has another brightness, see ``brightness(of:)``.
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

  /// 0…1; nil: it was never set.
  package func brightness(of light: String) -> Double? { brightnesses[light] }

  /// The orders since the last call, in their order.
  package func takeOrders() -> [Order] {
    guard !orders.isEmpty else { return [] }
    defer { orders = [] }
    return orders
  }

  var effects: (any PulseOutput)? { effect.map { ProvidedEffects(name: $0, outputs: self) } }
  var lights: [Light] { names.map { Light($0, .provider, ProvidedLight(name: $0, outputs: self)) } }

  fileprivate func play(_ effect: FeedbackEffect, strength: Double, on output: String) {
    orders.append(.effect(effect, strength: strength * gain, output: output))
  }

  fileprivate func show(_ brightness: Double, on light: String) {
    brightnesses[light] = brightness
    orders.append(.light(light))
  }
}

/// An effect is one order: the program has the pulses, and ends them.
private struct ProvidedEffects: PulseOutput {
  let name: String
  let outputs: ProvidedOutputs

  var endsByItself: Bool { true }

  func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) throws(Errno) {
    outputs.play(pattern.effect, strength: pattern.strength, on: name)
  }

  func end() throws(Errno) {}
}

private struct ProvidedLight: LightDriver {
  let name: String
  let outputs: ProvidedOutputs

  var maximumLevel: Int { 10_000 }
  var originalLevel: Int? { nil }
  var defaultLevel: Int { 0 }

  func write(level: Int) throws(Errno) { outputs.show(Double(level) / Double(maximumLevel), on: name) }
}
