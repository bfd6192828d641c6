import StepperConfiguration
import StepperCore

/// The state of the controls: the engine and the configuration in force, which is stored only here.
///
/// It does no I/O. Effects of inputs are kept until ``takeEffects()``, in their order.
final class World {
  private var engine: Engine
  /// The configuration in force.
  private(set) var loaded: ConfigurationFile.Loaded
  /// The permissions of the configuration in force.
  private(set) var authorization: Authorization
  /// Changes whenever sequence numbers, descriptions or the set of controls cannot be compared with earlier ones.
  private(set) var instance = World.makeInstance()
  private var effects: [Effect] = []
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
    engine[id] == nil
      ? ControlConfiguration(settings: ControlSettings(name: "")) : configurations[id.index]
  }
  func name(of id: ControlID) -> String { configuration(of: id).settings.name }
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

  // MARK: Inputs

  /// Moves time forward and applies `input`. Returns the effects that answer a client's request; all are kept for
  /// ``takeEffects()``.
  @discardableResult
  func advance(to now: Instant, applying input: Input? = nil) -> [Effect] {
    var answers: [Effect] = []
    for effect in engine.advance(to: now, applying: input) {
      switch effect {
      case .applied: answers.append(effect)
      case .refuse:
        refusals += 1
        answers.append(effect)
      case .adjusted: instance = Self.makeInstance()
      case .publish: changes += 1
      case .feedback: break
      }
      effects.append(effect)
    }
    return answers
  }

  /// All effects since the last call, in their order.
  func takeEffects() -> [Effect] {
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  /// Applies another configuration.
  func adopt(_ loaded: ConfigurationFile.Loaded, _ authorization: Authorization, at now: Instant) {
    self.loaded = loaded
    self.authorization = authorization
    advance(to: now, applying: .configured(loaded.configuration.engine))
    instance = Self.makeInstance()
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
