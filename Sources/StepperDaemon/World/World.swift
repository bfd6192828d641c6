import StepperConfiguration
import StepperCore
import StepperInterfaces
import Varlink

/// The state of the controls: the engine and the configuration in force, which is stored only here.
///
/// It does no I/O. Effects of inputs are kept until ``nextEffect()``, in their order.
final class World {
  private var engine: Engine
  /// The configuration in force.
  private(set) var loaded: ConfigurationFile.Loaded
  /// The permissions of the configuration in force.
  private(set) var authorization: Authorization
  /// Changes whenever sequence numbers, descriptions or the set of controls cannot be compared with earlier ones.
  private(set) var instance = World.makeInstance()
  private var encoded = EncodedStates()
  private var effects: [Effect] = []
  /// The number of those that ``nextEffect()`` has returned.
  private var taken = 0
  /// The number of published states.
  private(set) var changes: Int64 = 0
  /// Requests of clients that a control refused.
  private(set) var refusals: Int64 = 0

  init(_ loaded: ConfigurationFile.Loaded, _ authorization: Authorization, at now: Instant) {
    self.loaded = loaded
    self.authorization = authorization
    engine = Engine(loaded.configuration.engine, at: now)
  }

  // MARK: Configuration

  var configuration: Configuration { loaded.configuration }
  var configurations: [ControlConfiguration] { loaded.configuration.controls }
  /// The controls in the order of the configuration.
  var ids: [ControlID] { engine.ids }
  /// For a control of a former configuration the defaults, without a name.
  func configuration(of id: ControlID) -> ControlConfiguration {
    has(id) ? configurations[id.index] : ControlConfiguration(settings: ControlSettings(name: ""))
  }
  func name(of id: ControlID) -> String { has(id) ? configurations[id.index].settings.name : "" }
  /// Whether it is of the configuration in force.
  func has(_ id: ControlID) -> Bool { engine.has(id) }
  func control(named name: String) -> ControlID? { engine.control(named: name) }

  // MARK: State

  /// The sequence number of the newest change.
  var sequence: Int64 { engine.sequence }
  /// The time of the engine.
  var now: Instant { engine.now }
  /// The next deadline of the engine.
  var deadline: Instant? { engine.deadline }
  /// Steps made by autorepeat.
  var repeats: Int64 { engine.repeats }

  /// For a control of a former configuration unset.
  func state(of id: ControlID) -> ControlState {
    engine[id] ?? ControlState(control: id, origin: .configuration, time: engine.now)
  }

  /// The settings of a control as `Adjust` has changed them since it was configured; those of the configuration are in
  /// ``configuration(of:)``.
  /// For a control of a former configuration the defaults.
  func adjustedSettings(of id: ControlID) -> ControlSettings {
    engine.adjustedSettings(of: id) ?? ControlSettings(name: "")
  }

  /// Appends the state of a control as a message has it.
  func appendState(of id: ControlID, to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    let state = state(of: id)
    guard has(id) else { return try wireState(state).appendJSON(to: &buffer) }
    try encoded.append(id, at: state.sequence, to: &buffer) { wireState(state) }
  }

  // MARK: Inputs

  /// Moves time forward and applies `input`. Returns the effects that answer a client's request; all are kept for
  /// ``nextEffect()``.
  @discardableResult
  func advance(to now: Instant, applying input: Input? = nil) -> [Effect] {
    var answers: [Effect] = []
    let former = effects.count
    engine.advance(to: now, applying: input, into: &effects)
    for index in former..<effects.count {
      switch effects[index] {
      case .applied: answers.append(effects[index])
      case .refuse:
        refusals += 1
        answers.append(effects[index])
      case .adjusted: renew()
      case .publish: changes += 1
      case .feedback: break
      }
    }
    return answers
  }

  /// The next effect, in their order; nil after the last one.
  func nextEffect() -> Effect? {
    guard taken < effects.count else {
      effects.removeAll(keepingCapacity: true)
      taken = 0
      return nil
    }
    defer { taken += 1 }
    return effects[taken]
  }

  /// Applies another configuration.
  func adopt(_ loaded: ConfigurationFile.Loaded, _ authorization: Authorization, at now: Instant) {
    self.loaded = loaded
    self.authorization = authorization
    advance(to: now, applying: .configured(loaded.configuration.engine))
    renew()
  }

  private func renew() {
    instance = Self.makeInstance()
    encoded.removeAll()
  }

  private static func makeInstance() -> String {
    let text = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}

extension Configuration {
  /// The part of the configuration that the engine uses.
  var engine: EngineConfiguration {
    EngineConfiguration(controls: controls.map(\.settings), devices: devices.map(\.settings))
  }
}
