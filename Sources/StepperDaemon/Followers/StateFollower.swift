import StepperConfiguration
import StepperCore
import StepperInterfaces
import Varlink

/// The replies to one `org.stepperd.control.Subscribe`.
final class StateFollower: Follower {
  let session: Int64
  private let world: World
  private let followers: Followers
  private let patterns: NamePatterns
  private let includesDescriptions: Bool
  /// The language of what a screen reader says; nil: replies do not have it.
  private let language: String?
  /// The caller, for `writable` of the descriptions.
  private let mayChange: (ControlID) -> Bool
  private var subscription: ControlSubscription
  /// In the order of the configuration; renewed by ``lookUp()``.
  private(set) var followed: [ControlID] = []

  /// Begins with a snapshot, or, if `instance` and `sequence` are still valid, with the changes since then.
  init(
    of world: World, among followers: Followers, _ parameters: ControlInterface.Subscribe.Parameters,
    for session: Int64, mayChange: @escaping (ControlID) -> Bool
  ) {
    (self.world, self.session) = (world, session)
    self.followers = followers
    self.mayChange = mayChange
    patterns = parameters.match.map(NamePatterns.init) ?? .all
    includesDescriptions = parameters.descriptions ?? false
    language = parameters.language
    let interval = Duration.milliseconds(max(parameters.minimumIntervalMilliseconds ?? 0, 0))
    subscription = ControlSubscription(minimumInterval: interval)
    lookUp()
    if parameters.instance == world.instance, let since = parameters.sinceSequence {
      let changed = followed.filter { world.state(of: $0).sequence > since }
      subscription = ControlSubscription(minimumInterval: interval, resuming: changed)
    }
  }

  var stopping: VarlinkFailure { VarlinkFailure(ControlInterface.Stopping()) }

  /// Whether it follows every control, of whatever configuration.
  var followsAll: Bool { patterns == .all }

  // MARK: Changes

  /// Records a change of a followed control.
  func note(_ control: ControlID) { subscription.note(control) }

  /// The set of controls was replaced.
  func lookUp() { followed = world.controls(matching: patterns) }

  /// The next reply has all states, because the controls or their descriptions have changed.
  func restart() { subscription.restart() }

  // MARK: Replies

  var due: Instant? { subscription.due }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    guard let report = subscription.take(at: now) else { return nil }
    followers.countCoalesced(report.coalesced)
    if let changed = report.controls, report.coalesced == 0, language == nil {
      followers.changeReply.send(changed, of: world, on: &connection)
      return firstInput(of: changed)
    }
    let controls = report.controls ?? followed
    let isSnapshot = report.controls == nil
    var room = ReplyRoom()
    let accessibility = language.map { language in
      controls.map { world.accessibility(of: $0, language: language) }
    }
    // Those are never left out; the descriptions have what is left.
    for spoken in accessibility ?? [] { _ = room.take(spoken.replySize) }
    let descriptions = includesDescriptions && isSnapshot ? descriptions(of: controls, into: &room) : nil
    connection.reply(continues: true) { bytes throws(VarlinkMessageError) in
      try world.appendReply(
        with: controls, isSnapshot: isSnapshot, coalesced: report.coalesced, descriptions, accessibility,
        to: &bytes)
    }
    return isSnapshot ? nil : firstInput(of: controls)
  }

  /// The time of the first input of a device among the last changes of `controls`.
  private func firstInput(of controls: [ControlID]) -> Instant? {
    var first: Instant?
    for control in controls {
      let entry = world.entry(of: control)
      if entry.state.origin == .device { first = .earliest(first, entry.state.time) }
    }
    return first
  }

  /// As many as the reply has room for; `writable` depends on the caller.
  private func descriptions(
    of controls: [ControlID], into room: inout ReplyRoom
  ) -> [ControlInterface.Description] {
    controls.map { world.description(of: $0, isWritable: mayChange($0)).fitted(into: &room) }
  }
}

extension World {
  /// The controls whose names match a pattern, in the order of the configuration.
  func controls(matching patterns: NamePatterns) -> [ControlID] {
    let (ids, matching) = (ids, patterns.indices(of: configurations.map(\.settings.name)))
    return matching.sorted().map { ids[$0] }
  }
}
