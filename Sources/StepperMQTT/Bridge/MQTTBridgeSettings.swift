package import StepperInterfaces

/// The settings of a bridge.
package struct MQTTBridgeSettings: Hashable, Sendable {
  /// The name of the board in all topics, [A-Za-z0-9_-]+, at most 64 bytes.
  package var id: String
  /// The name of the board for people.
  package var name: String
  /// The machine's model and its serial number; nil: not known.
  package var model: String?
  package var serial: String?
  /// The address of the board's web page; nil: it has none.
  package var webPage: String?
  /// The first level of the bridge's own topics.
  package var prefix = "stepperd"
  /// The first level of the topics of Home Assistant.
  package var discoveryPrefix = "homeassistant"
  /// Whether the board is announced to Home Assistant. If not, an announcement that the broker retains is cleared.
  package var hasDiscovery = true
  /// The groups whose set commands the board follows.
  package var groups: [String] = []
  /// Whether retained targets are applied.
  package var hasTargets = false
  /// Who may send a configuration; nil: nobody may.
  package var configurationKey: VerifyingKey?
  /// The least time between two states of a control.
  package var stateInterval = Duration.milliseconds(50)
  /// The greatest age of a command that says when it was given, but not how old it may become.
  package var commandMaxAge = Duration.seconds(10)
  /// The controls whose bounds are advisory. Home Assistant does not get them, because it enforces bounds.
  package var advisoryControls: Set<String> = []
  /// The buttons whose long presses are published, and those whose double presses are.
  package var longPressControls: Set<String> = []
  package var doublePressControls: Set<String> = []
  /// The knobs and remotes of radio networks that the bridge attaches.
  package var remotes: [RemoteSettings] = []
  /// The version of the program.
  package var version = ""
  /// A page about the program, for Home Assistant; nil if its distributor names none.
  package var homepage: String?
  /// A birth message of Home Assistant is answered after a random part of this time.
  package var birthSpread = Duration.seconds(10)
  /// The first attempt to connect is made after a random part of this time.
  package var startSpread = Duration.seconds(1)

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }

  /// Whether a bridge can switch from `other` to these settings, because its topics and subscriptions stay the same.
  package func hasSameTopics(as other: Self) -> Bool {
    hasSameNames(as: other) && groups == other.groups && hasTargets == other.hasTargets
      && hasDiscovery == other.hasDiscovery && remotes == other.remotes
      && configurationKey == other.configurationKey
  }

  /// Whether the messages that a broker retains under `other` are replaced by those under these settings.
  package func hasSameNames(as other: Self) -> Bool {
    id == other.id && prefix == other.prefix && discoveryPrefix == other.discoveryPrefix
  }

  /// Whether a control with this name would share its topics with the board's own.
  package func isReserved(_ control: String) -> Bool {
    Topics.reserved.contains(control) || (configurationKey != nil && control == Topics.configurationName)
  }

  /// The topic of a control's text.
  package func topic(of control: String) -> String { Topics(self).text(control) }

  /// The ID by which Home Assistant recognizes an entity for ever. The first `_` after `stepperd_` ends the board's ID, because each `_`
  /// within that ID is written as a colon, which neither IDs nor names of controls contain. Otherwise board `a` with control `b_c` would
  /// equal board `a_b` with control `c`.
  func uniqueID(_ key: String) -> String {
    "stepperd_\(String(id.map { $0 == "_" ? ":" : $0 }))_\(key)"
  }

  /// How a control appears in Home Assistant.
  package func plan(of description: ControlInterface.Description, isAdvisory: Bool) -> DiscoveryPlan {
    var presses: [ControlInterface.Moment] = [.shortPress]
    if longPressControls.contains(description.control) { presses.append(.longPress) }
    if doublePressControls.contains(description.control) { presses.append(.doublePress) }
    return DiscoveryPlan(description, isAdvisory: isAdvisory, presses: presses)
  }
}

/// Limits for messages from the network. Whatever exceeds them is refused and reported.
package enum MQTTLimit {
  /// Bytes of a topic. Two levels of a prefix, an ID, a group, a control and a verb need fewer.
  package static let topicBytes = 1_024
  /// Bytes of a command's payload.
  package static let commandBytes = 4_096
  /// Bytes of one of the bridge's own retained messages, which it reads again after a start.
  package static let retainedBytes = 1 << 20
  /// Bytes of a command's ID, which its result repeats, and of a target's revision.
  static let idBytes = 64
  /// Unacknowledged messages. Beyond this number, no more are sent.
  static let inFlight = 20
  /// Calls that the daemon has not answered yet.
  static let calls = 32
  /// Results that wait for the broker: each command of a burst has one.
  static let results = 256
  /// Commands that are taken at once, and the time for each further one: 50 a second.
  static let commandBurst = 100
  static let commandInterval = Duration.milliseconds(20)
  /// How long commands with an ID are remembered. In that time at most 3,100 are done. When this number is
  /// reached, the expired ones are forgotten.
  static let doneCommands = 4_096
  static let doneTime = Duration.seconds(60)
  /// The time between two reports of dropped commands.
  static let dropReportInterval = Duration.seconds(60)
  /// How long commands must have been free of clock problems before the next problem is reported.
  static let clockReportPause = Duration.seconds(60)
  /// The least time between two writes of the revisions of targets, also after a write that failed.
  static let revisionInterval = Duration.seconds(1)
  static let revisionRetryPause = Duration.seconds(10)
  /// Bytes of the name of a control; the same limit as in the configuration.
  static let nameBytes = 64
  /// Controls that are published; the same limit as in the configuration.
  static let controls = 256
  /// Controls whose revisions are kept, including controls of former configurations.
  static let revisions = 1_024
  /// Bytes of a remote's action, detents in one action, and unknown actions that are reported per remote.
  static let actionBytes = 64
  static let detents: Int64 = 32
  static let unknownActions = 16
  /// Configurations that are read at once, and the time for each further one.
  static let configurationBurst = 10
  static let configurationInterval = Duration.milliseconds(200)
  /// Presses, and other moments, that are published at once, and the time for each further one.
  static let momentBurst = 50
  static let momentInterval = Duration.milliseconds(20)
  /// The longest time between two messages that say when the board was last seen.
  static let signInterval = Duration.seconds(60)
  /// Controls of earlier runs that are remembered until their topics are cleared.
  static let formerControls = 512
  /// Components of a former announcement; a control has five at most.
  static let formerComponents = 8 * controls
  /// Topics of retained commands that are remembered.
  static let retainedCommands = 64
}
