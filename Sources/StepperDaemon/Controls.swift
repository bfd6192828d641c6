import StepperConfiguration
import StepperCore

/// The controls: the engine, what the configuration says beside it, and those who follow.
final class Controls {
  private var engine: Engine
  private(set) var configurations: [ControlConfiguration]
  /// Changes whenever sequence numbers or the set of controls cannot be compared with earlier ones.
  private(set) var instance = Controls.makeInstance()
  /// Grows whenever the set of controls is another one.
  private(set) var generation = 0
  private var feeds: [ObjectIdentifier: ControlFeed] = [:]
  /// Told of every change, after the followers were.
  var published: (ControlState) -> Void = { _ in }
  /// Told of every moment, in order, after what was published before it.
  var felt: (Feedback) -> Void = { _ in }
  /// Changes that were folded into later ones because their readers were slow.
  private(set) var coalesced: Int64 = 0
  /// States published.
  private(set) var changes: Int64 = 0
  /// Requests of clients that a control refused.
  private(set) var refusals: Int64 = 0

  init(_ configuration: Configuration, at now: Instant) {
    configurations = configuration.controls
    engine = Engine(configuration.engine, at: now)
  }

  // MARK: What is

  var sequence: Int64 { engine.sequence }
  var ids: [ControlID] { engine.ids }
  /// How far the engine's time has come.
  var now: Instant { engine.now }
  var deadline: Instant? { engine.deadline }
  /// Steps made by autorepeat.
  var repeats: Int64 { engine.repeats }

  func control(named name: String) -> ControlID? { engine.control(named: name) }
  /// Unset, for a control of a former configuration.
  func state(of id: ControlID) -> ControlState {
    engine[id] ?? ControlState(control: id, origin: .configuration, time: engine.now)
  }
  /// As adjusted since it was configured; the defaults, for a control of a former configuration.
  func adjustedSettings(of id: ControlID) -> ControlSettings {
    engine.adjustedSettings(of: id) ?? ControlSettings(name: "")
  }
  func name(of id: ControlID) -> String { configuration(of: id).settings.name }
  /// The defaults, for a control of a former configuration.
  func configuration(of id: ControlID) -> ControlConfiguration {
    engine[id] == nil
      ? ControlConfiguration(settings: ControlSettings(name: "")) : configurations[id.index]
  }

  // MARK: What happens

  /// Moves time forward and applies `input`; performs what the engine orders and returns the rest, which is
  /// for the client whose request it was.
  @discardableResult
  func advance(to now: Instant, applying input: Input? = nil) -> [Effect] {
    var answers: [Effect] = []
    for effect in engine.advance(to: now, applying: input) {
      switch effect {
      case .publish(let state):
        changes += 1
        for feed in feeds.values { feed.note(state.control) }
        published(state)
      case .adjusted:
        redefine()
      case .feedback(let feedback):
        felt(feedback)
      case .refuse:
        refusals += 1
        answers.append(effect)
      case .applied:
        answers.append(effect)
      }
    }
    return answers
  }

  /// Takes over another configuration.
  func replace(_ configuration: Configuration, at now: Instant) {
    configurations = configuration.controls
    generation += 1
    advance(to: now, applying: .configured(configuration.engine))
    redefine()
  }

  /// Descriptions are others: everyone who follows gets a new snapshot.
  private func redefine() {
    instance = Self.makeInstance()
    for feed in feeds.values { feed.restart() }
  }

  // MARK: Followers

  var subscriptionCount: Int { feeds.count }

  func add(_ feed: ControlFeed) { feeds[ObjectIdentifier(feed)] = feed }

  func remove(_ feed: ControlFeed) { feeds[ObjectIdentifier(feed)] = nil }

  func countCoalesced(_ count: Int64) { coalesced += count }

  private static func makeInstance() -> String {
    let text = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}

extension Configuration {
  /// The part that the engine works by.
  var engine: EngineConfiguration {
    EngineConfiguration(controls: controls.map(\.settings), devices: devices.map(\.settings))
  }
}
