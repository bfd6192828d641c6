import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText
import Varlink

/// The state of the controls: the engine and the configuration in force, which is stored only here.
///
/// It does no I/O. Effects of inputs are kept until ``nextEffect()``, in their order.
final class World {
  /// For reading only. Inputs enter it only through ``advance(to:applying:)`` and ``fire(until:atMost:)``.
  private(set) var engine: Engine
  /// The configuration in force.
  private(set) var loaded: ConfigurationFile.Loaded
  /// The permissions of the configuration in force.
  private(set) var authorization: Authorization
  /// Changes whenever sequence numbers, descriptions or the set of controls cannot be compared with earlier ones.
  private(set) var instance = World.makeInstance()
  private var effects: [Effect] = []
  /// The number of effects that ``nextEffect()`` has returned.
  private var taken = 0
  /// The number of published states.
  private(set) var changes: Int64 = 0
  /// Requests of clients that a control refused.
  private(set) var refusals: Int64 = 0
  /// The log of the engine's inputs and their effects; nil: nothing is recorded. ``EngineRecorder`` writes it to a file.
  var log: EngineLog?

  /// In the order of the configuration.
  private var entries: [ControlEntry] = []
  private var idsByName: [String: ControlID] = [:]
  init(_ loaded: ConfigurationFile.Loaded, _ authorization: Authorization, at now: Instant) {
    self.loaded = loaded
    self.authorization = authorization
    engine = Engine(loaded.configuration.engine, sequence: World.makeSequence(), at: now)
    readEntries()
  }

  // MARK: Configuration

  var configuration: Configuration { loaded.configuration }
  var configurations: [ControlConfiguration] { loaded.configuration.controls }
  /// The controls in the order of the configuration.
  var ids: [ControlID] { entries.map(\.id) }
  /// The number of controls.
  var count: Int { entries.count }
  func control(named name: String) -> ControlID? { idsByName[name] }
  /// Whether a control belongs to the configuration in force.
  func has(_ id: ControlID) -> Bool { entries.indices.contains(id.index) && entries[id.index].id == id }

  func entry(of id: ControlID) -> ControlEntry { has(id) ? entries[id.index] : .former(id, at: now) }
  func name(of id: ControlID) -> String { entry(of: id).configuration.settings.name }
  func configuration(of id: ControlID) -> ControlConfiguration { entry(of: id).configuration }
  /// The settings of a control, with the changes that `Adjust` has made since it was configured. The configured
  /// settings are in ``configuration(of:)``.
  func adjustedSettings(of id: ControlID) -> ControlSettings { entry(of: id).adjustedSettings }

  // MARK: State

  /// The sequence number of the newest change.
  var sequence: Int64 { engine.sequence }
  /// The names of the controls, for a log of the engine.
  var controlNames: ControlNames { ControlNames(of: engine) }
  /// The time of the engine.
  var now: Instant { engine.now }
  /// The next deadline of the engine.
  var deadline: Instant? { engine.deadline }

  func state(of id: ControlID) -> ControlState { entry(of: id).state }

  // MARK: Inputs

  /// Moves time forward and applies `input`. Returns the effects that answer a client's request; all are kept for
  /// ``nextEffect()``.
  @discardableResult
  func advance(to now: Instant, applying input: Input? = nil) -> [Effect] {
    let former = effects.count
    engine.advance(to: now, applying: input, into: &effects)
    return noteEffects(since: former, of: input)
  }

  /// Fires the deadlines until `instant`, in a portion of about `most` pieces of work; see
  /// ``Engine/fire(until:atMost:into:)``. Returns the size of the portion.
  func fire(until instant: Instant, atMost most: Int64) -> Int64 {
    let former = effects.count
    let count = engine.fire(until: instant, atMost: most, into: &effects)
    noteEffects(since: former, of: nil)
    return count
  }

  @discardableResult
  private func noteEffects(since former: Int, of input: Input?) -> [Effect] {
    var answers: [Effect] = []
    log?.note(input, effects[former...], engine)
    for index in former..<effects.count {
      switch effects[index] {
      case .applied: answers.append(effects[index])
      case .refuse:
        refusals += 1
        answers.append(effects[index])
      case .adjusted(let id):
        if has(id) { entries[id.index] = makeEntry(id) }
        instance = Self.makeInstance()
      case .publish(let state):
        if has(state.control) { entries[state.control.index].state = state }
        changes += 1
      case .feedback, .becameIdle, .becameActive: break
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
    log?.configure(loaded.namedText)
    advance(to: now, applying: .configured(loaded.configuration.engine))
    readEntries()
    instance = Self.makeInstance()
  }

  /// Begins a log of the engine, which must not have had an input yet.
  func beginLog(fileLimit: Int64, bufferLimit: Int) {
    log = EngineLog(
      of: engine, loaded.namedText, comment: "What stepperd \(Product.version) was given; see recordings.md.",
      codes: .kernel, bufferLimit: bufferLimit, fileLimit: fileLimit)
  }

  private func readEntries() {
    entries = engine.ids.map(makeEntry)
    idsByName = Dictionary(entries.map { ($0.configuration.settings.name, $0.id) }) { first, _ in first }
  }

  private func makeEntry(_ id: ControlID) -> ControlEntry {
    guard let state = engine[id], let settings = engine.adjustedSettings(of: id) else {
      return .former(id, at: now)
    }
    return ControlEntry(id, configurations[id.index], adjusted: settings, state)
  }

  /// The first sequence number, which is random, so that a client's `ifSequence` from before a restart is not valid
  /// now. It is small, because every digit is written with each change.
  private static func makeSequence() -> Int64 { Int64(UInt32.random(in: .min ... .max)) }

  /// A random text that nobody can guess.
  static func makeInstance() -> String { UInt64.random(in: .min ... .max).digits(16, radix: 16) }
}

/// A control of the configuration in force, as the daemon and its clients see it.
///
/// The large parts are constant: they are read in place and never copied. An adjustment makes a new entry.
final class ControlEntry {
  let id: ControlID
  let configuration: ControlConfiguration
  /// The settings, with the changes that `Adjust` has made since the control was configured.
  let adjustedSettings: ControlSettings
  /// The state that was published last.
  var state: ControlState { didSet { json.removeAll(keepingCapacity: true) } }
  /// ``state`` as JSON; empty until a message needs it.
  private var json: [UInt8] = []

  init(
    _ id: ControlID, _ configuration: ControlConfiguration, adjusted: ControlSettings, _ state: ControlState
  ) {
    self.id = id
    self.configuration = configuration
    adjustedSettings = adjusted
    self.state = state
  }

  /// Appends the state as JSON. It is encoded once after each change, for all messages.
  func appendState(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    if json.isEmpty {
      do throws(VarlinkMessageError) {
        try ControlInterface.State(state, adjustedSettings).appendJSON(to: &json)
      } catch {
        json = []
        throw error
      }
    }
    buffer.append(contentsOf: json)
  }

  /// Stands for a control of a former configuration: with default settings, without a name, and unset.
  static func former(_ id: ControlID, at now: Instant) -> ControlEntry {
    let settings = ControlSettings(name: "")
    return ControlEntry(
      id, ControlConfiguration(settings: settings), adjusted: settings,
      ControlState(control: id, origin: .configuration, time: now))
  }
}

extension ConfigurationFile.Loaded {
  /// The text of the configuration, for a log of the engine.
  fileprivate var namedText: EngineLog.NamedText { EngineLog.NamedText(name: name, bytes: wholeText) }
}

extension Configuration {
  /// The part of the configuration that the engine uses.
  var engine: EngineConfiguration {
    EngineConfiguration(
      controls: controls.map(\.settings), devices: devices.map(\.settings), idleAfter: daemon.idleAfter)
  }
}
