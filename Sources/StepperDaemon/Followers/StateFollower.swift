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
  /// In the order of the configuration.
  private var followed: [ControlID] = []
  /// By the place of a control in the configuration, whether it is one of them.
  private var isFollowed: [Bool] = []
  /// The instance of the world that ``followed`` belongs to.
  private var instance = ""

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
    let interval = Duration.milliseconds(max(parameters.minimumIntervalMilliseconds ?? 0, 0))
    subscription = ControlSubscription(minimumInterval: interval)
    lookUp()
    if parameters.instance == world.instance, let since = parameters.sinceSequence {
      let changed = followed.filter { world.state(of: $0).sequence > since }
      subscription = ControlSubscription(minimumInterval: interval, resuming: changed)
    }
  }

  var stopping: VarlinkFailure { VarlinkFailure(ControlInterface.Stopping()) }

  var topic: Change.Topic { .controls }

  func note(_ change: Change) {
    switch change {
    case .state(let control):
      lookUp()
      if isFollowed.indices.contains(control.index), isFollowed[control.index] { subscription.note(control) }
    // The followed controls are determined for the next reply.
    case .definition: subscription.restart()
    case .device, .moment: break
    }
  }

  private func lookUp() {
    guard instance != world.instance else { return }
    instance = world.instance
    followed = world.controls(matching: patterns)
    isFollowed = Array(repeating: false, count: (followed.last?.index ?? -1) + 1)
    for control in followed { isFollowed[control.index] = true }
  }

  var due: Instant? { subscription.due }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    guard let report = subscription.take(at: now) else { return nil }
    followers.countCoalesced(report.coalesced)
    lookUp()
    let isSnapshot = report.controls == nil
    let controls = report.controls ?? followed
    let descriptions = includesDescriptions && isSnapshot ? descriptions(of: controls) : nil
    connection.reply(continues: true) { bytes throws(VarlinkMessageError) in
      let start = bytes.count
      JSONText.append(",\"snapshot\":", isSnapshot, to: &bytes)
      JSONText.append(",\"instance\":", world.instance, to: &bytes)
      JSONText.append(",\"sequence\":", world.sequence, to: &bytes)
      JSONText.append(",\"coalesced\":", report.coalesced, to: &bytes)
      JSONText.append(literal: ",\"states\":[", to: &bytes)
      for (place, control) in controls.enumerated() {
        if place > 0 { JSONText.append(literal: ",", to: &bytes) }
        try world.appendState(of: control, to: &bytes)
      }
      JSONText.append(literal: "]", to: &bytes)
      try JSONText.append(",\"descriptions\":", descriptions, to: &bytes)
      JSONText.endObject(from: start, in: &bytes)
    }
    return isSnapshot ? nil : firstInput(of: controls)
  }

  /// The time of the first input of a device among the last changes of `controls`.
  private func firstInput(of controls: [ControlID]) -> Instant? {
    var first: Instant?
    for control in controls {
      let state = world.state(of: control)
      if state.origin == .device { first = min(first ?? state.time, state.time) }
    }
    return first
  }

  /// As many as the reply has room for; `writable` depends on the caller.
  private func descriptions(of controls: [ControlID]) -> [ControlInterface.Description] {
    var room = ReplyRoom()
    return controls.map { world.description(of: $0, isWritable: mayChange($0)).fitted(into: &room) }
  }
}

extension World {
  /// The controls whose names match a pattern, in the order of the configuration.
  func controls(matching patterns: NamePatterns) -> [ControlID] {
    let (ids, matching) = (ids, patterns.indices(of: configurations.map(\.settings.name)))
    return matching.sorted().map { ids[$0] }
  }
}
