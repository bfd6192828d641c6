import StepperConfiguration
import StepperCore
import StepperInterfaces
import Varlink

/// The replies to one `org.stepperd.control.Subscribe`.
final class ControlFeed: ReplyStream {
  private unowned let controls: Controls
  private let patterns: NamePatterns
  private let wantsDescriptions: Bool
  /// Who asks, for the descriptions' `writable`.
  private let mayChange: (ControlID) -> Bool
  private var subscription: ControlSubscription
  private var followed: Set<ControlID>
  /// What ``followed`` was found in.
  private var generation: Int

  /// Begins with a snapshot, or, if `instance` and `sequence` name a point that is still known, with what
  /// changed since.
  init(
    of controls: Controls, _ parameters: ControlInterface.Subscribe.Parameters,
    mayChange: @escaping (ControlID) -> Bool
  ) {
    self.controls = controls
    self.mayChange = mayChange
    patterns = parameters.match.map(NamePatterns.init) ?? .all
    wantsDescriptions = parameters.descriptions ?? false
    let followed = controls.controls(matching: patterns)
    self.followed = followed
    generation = controls.generation
    var changed: [ControlID]?
    if parameters.instance == controls.instance, let since = parameters.sinceSequence {
      changed = followed.filter { controls.state(of: $0).sequence > since }
    }
    let interval = Duration.milliseconds(max(parameters.minimumIntervalMilliseconds ?? 0, 0))
    subscription = ControlSubscription(minimumInterval: interval, resuming: changed)
    isResuming = changed != nil
  }

  /// A resumed subscription is answered at once, also if there is nothing new, so that the client knows.
  private var isResuming: Bool

  var stopping: VarlinkFailure { VarlinkFailure(ControlInterface.Stopping()) }

  func note(_ control: ControlID) {
    lookUp()
    if followed.contains(control) { subscription.note(control) }
  }

  /// Descriptions, or the set of controls, are others. Which ones are followed is looked up when the client is told.
  func restart() { subscription.restart() }

  private func lookUp() {
    guard generation != controls.generation else { return }
    generation = controls.generation
    followed = controls.controls(matching: patterns)
  }

  var due: Instant? { isResuming ? Instant(nanoseconds: 0) : subscription.due }

  func tell(_ connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    let report: ControlSubscription.Report
    if let taken = subscription.take(at: now) {
      report = taken
    } else if isResuming {
      report = ControlSubscription.Report(controls: [], coalesced: 0)
    } else {
      return nil
    }
    isResuming = false
    controls.countCoalesced(report.coalesced)
    lookUp()
    let isSnapshot = report.controls == nil
    let told = report.controls ?? followed.sorted()
    let states = told.map { controls.state(of: $0) }
    var room = ReplyRoom()
    let descriptions =
      wantsDescriptions && isSnapshot
      ? told.map { controls.description(of: $0, isWritable: mayChange($0)).fitted(into: &room) } : nil
    let results = ControlInterface.Subscribe.Reply(
      snapshot: isSnapshot, instance: controls.instance, sequence: controls.sequence,
      coalesced: report.coalesced, states: states.map { controls.wireState($0) }, descriptions: descriptions
    )
    connection.reply(results, continues: true)
    let inputs = isSnapshot ? [] : states.filter { $0.origin == .device }
    return inputs.map(\.time).min()
  }
}

extension Controls {
  /// Those whose names fit one of the shell patterns.
  func controls(matching patterns: NamePatterns) -> Set<ControlID> {
    Set(patterns.indices(of: configurations.map(\.settings.name)).map { ids[$0] })
  }
}
