import StepperConfiguration
import StepperCore
import StepperInterfaces
import Varlink

/// The replies to one `org.stepperd.control.Subscribe`.
final class StateFollower: Follower {
  private unowned let world: World
  private unowned let followers: Followers
  private let patterns: NamePatterns
  private let includesDescriptions: Bool
  /// The caller, for `writable` of the descriptions.
  private let mayChange: (ControlID) -> Bool
  private var subscription: ControlSubscription
  private var followed: Set<ControlID>
  /// The instance of the world that ``followed`` belongs to.
  private var instance: String

  /// Begins with a snapshot, or, if `instance` and `sequence` are still valid, with the changes since then.
  init(
    of world: World, among followers: Followers, _ parameters: ControlInterface.Subscribe.Parameters,
    mayChange: @escaping (ControlID) -> Bool
  ) {
    self.world = world
    self.followers = followers
    self.mayChange = mayChange
    patterns = parameters.match.map(NamePatterns.init) ?? .all
    includesDescriptions = parameters.descriptions ?? false
    let followed = world.controls(matching: patterns)
    self.followed = followed
    instance = world.instance
    var changed: [ControlID]?
    if parameters.instance == world.instance, let since = parameters.sinceSequence {
      changed = followed.filter { world.state(of: $0).sequence > since }
    }
    let interval = Duration.milliseconds(max(parameters.minimumIntervalMilliseconds ?? 0, 0))
    subscription = ControlSubscription(minimumInterval: interval, resuming: changed)
  }

  var stopping: VarlinkFailure { VarlinkFailure(ControlInterface.Stopping()) }

  var topic: Change.Topic { .controls }

  func note(_ change: Change) {
    switch change {
    case .state(let control):
      lookUp()
      if followed.contains(control) { subscription.note(control) }
    // The followed controls are determined for the next reply.
    case .definition: subscription.restart()
    case .device, .moment: break
    }
  }

  private func lookUp() {
    guard instance != world.instance else { return }
    instance = world.instance
    followed = world.controls(matching: patterns)
  }

  var due: Instant? { subscription.due }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    guard let report = subscription.take(at: now) else { return nil }
    followers.countCoalesced(report.coalesced)
    lookUp()
    let isSnapshot = report.controls == nil
    let controls = report.controls ?? followed.sorted()
    let states = controls.map { world.state(of: $0) }
    func reply(_ descriptions: [ControlInterface.Description]? = nil) -> ControlInterface.Subscribe.Reply {
      ControlInterface.Subscribe.Reply(
        snapshot: isSnapshot, instance: world.instance, sequence: world.sequence,
        coalesced: report.coalesced, states: states.map { world.wireState($0) }, descriptions: descriptions)
    }
    if includesDescriptions, isSnapshot {
      connection.reply(reply(descriptions(of: controls)), continues: true)
    } else {
      let key = EncodedReplies.Key(isSnapshot: isSnapshot, controls: controls, coalesced: report.coalesced)
      let stamp = EncodedReplies.Stamp(instance: world.instance, sequence: world.sequence)
      do throws(VarlinkMessageError) {
        let parameters = try followers.encoded.parameters(for: key, at: stamp) { reply() }
        connection.send(VarlinkReply(parameters: parameters, continues: true))
      } catch {
        // Fails once more, and ends the connection with the reason.
        connection.reply(reply(), continues: true)
      }
    }
    let inputs = isSnapshot ? [] : states.filter { $0.origin == .device }
    return inputs.map(\.time).min()
  }

  /// As many as the reply has room for; `writable` depends on the caller.
  private func descriptions(of controls: [ControlID]) -> [ControlInterface.Description] {
    var room = ReplyRoom()
    return controls.map { world.description(of: $0, isWritable: mayChange($0)).fitted(into: &room) }
  }
}

extension World {
  /// The controls whose names match a pattern.
  func controls(matching patterns: NamePatterns) -> Set<ControlID> {
    Set(patterns.indices(of: configurations.map(\.settings.name)).map { ids[$0] })
  }
}
