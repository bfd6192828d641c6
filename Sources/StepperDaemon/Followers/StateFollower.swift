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
  /// The generation of ``followed``.
  private var generation: Int

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
    generation = world.generation
    var changed: [ControlID]?
    if parameters.instance == world.instance, let since = parameters.sinceSequence {
      changed = followed.filter { world.state(of: $0).sequence > since }
    }
    let interval = Duration.milliseconds(max(parameters.minimumIntervalMilliseconds ?? 0, 0))
    subscription = ControlSubscription(minimumInterval: interval, resuming: changed)
    isResuming = changed != nil
  }

  /// The first reply of a resumed subscription is immediate, also without changes, so that the client knows it has
  /// resumed.
  private var isResuming: Bool

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
    guard generation != world.generation else { return }
    generation = world.generation
    followed = world.controls(matching: patterns)
  }

  var due: Instant? { isResuming ? Instant(nanoseconds: 0) : subscription.due }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    let report: ControlSubscription.Report
    if let taken = subscription.take(at: now) {
      report = taken
    } else if isResuming {
      report = ControlSubscription.Report(controls: [], coalesced: 0)
    } else {
      return nil
    }
    isResuming = false
    followers.countCoalesced(report.coalesced)
    lookUp()
    let isSnapshot = report.controls == nil
    let controls = report.controls ?? followed.sorted()
    let states = controls.map { world.state(of: $0) }
    if includesDescriptions, isSnapshot {
      connection.reply(reply(states, report, isSnapshot: true, descriptions(of: controls)), continues: true)
    } else {
      send(states, report, of: controls, isSnapshot: isSnapshot, on: &connection)
    }
    let inputs = isSnapshot ? [] : states.filter { $0.origin == .device }
    return inputs.map(\.time).min()
  }

  /// Sends a reply without descriptions, which is the same for all who follow these controls.
  private func send(
    _ states: [ControlState], _ report: ControlSubscription.Report, of controls: [ControlID],
    isSnapshot: Bool, on connection: inout VarlinkServerConnection
  ) {
    let key = EncodedReplies.Key(isSnapshot: isSnapshot, controls: controls, coalesced: report.coalesced)
    let stamp = EncodedReplies.Stamp(instance: world.instance, sequence: world.sequence)
    do throws(VarlinkMessageError) {
      let parameters = try followers.encoded.parameters(for: key, at: stamp) {
        reply(states, report, isSnapshot: isSnapshot, nil)
      }
      connection.send(VarlinkReply(parameters: parameters, continues: true))
    } catch {
      // Fails once more, and ends the connection with the reason.
      connection.reply(reply(states, report, isSnapshot: isSnapshot, nil), continues: true)
    }
  }

  private func reply(
    _ states: [ControlState], _ report: ControlSubscription.Report, isSnapshot: Bool,
    _ descriptions: [ControlInterface.Description]?
  ) -> ControlInterface.Subscribe.Reply {
    ControlInterface.Subscribe.Reply(
      snapshot: isSnapshot, instance: world.instance, sequence: world.sequence, coalesced: report.coalesced,
      states: states.map { world.wireState($0) }, descriptions: descriptions)
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
