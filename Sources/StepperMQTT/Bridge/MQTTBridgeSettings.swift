package import StepperInterfaces

/// The settings of a bridge.
package struct MQTTBridgeSettings: Hashable, Sendable {
  /// Name of the board in all topics, [A-Za-z0-9_-]+, at most 64 bytes.
  package var id: String
  /// The name of the board for people.
  package var name: String
  /// What it is as a machine, and its serial number; nil: that is not known.
  package var model: String?
  package var serial: String?
  /// The address of a page of the board; nil: it has none.
  package var webPage: String?
  /// The first level of the bridge's own topics.
  package var prefix = "stepperd"
  /// The first level of the topics of Home Assistant.
  package var discoveryPrefix = "homeassistant"
  /// Whether the board is announced to Home Assistant. If not, an announcement that the broker retains is cleared.
  package var hasDiscovery = true
  /// The groups whose sets are followed.
  package var groups: [String] = []
  /// Whether retained targets are applied.
  package var hasTargets = false
  /// Who may send a configuration; nil: nobody may.
  package var configurationKey: VerifyingKey?
  /// The least time between two states of a control.
  package var stateInterval = Duration.milliseconds(50)
  /// How old a command may be that says when it was given, and does not say how old it may become.
  package var commandMaxAge = Duration.seconds(10)
  /// The controls whose bounds are advisory, so that Home Assistant, which enforces bounds, does not get them.
  package var advisoryControls: Set<String> = []
  /// The buttons whose long presses are published, and those whose double presses are.
  package var longPressControls: Set<String> = []
  package var doublePressControls: Set<String> = []
  /// The knobs and remotes of radio networks that it brings.
  package var remotes: [RemoteSettings] = []
  /// The version of the program.
  package var version = ""
  /// A page about the program, for Home Assistant; nil if its distributor names none.
  package var homepage: String?
  /// A birth of Home Assistant is answered after a random part of this time.
  package var birthSpread = Duration.seconds(10)
  /// The first attempt to connect is made after a random part of this time.
  package var startSpread = Duration.seconds(1)

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }

  /// Whether a bridge can go on with these instead of `other`: its topics and subscriptions are the same.
  package func hasSameTopics(as other: Self) -> Bool {
    hasSameNames(as: other) && groups == other.groups && hasTargets == other.hasTargets
      && hasDiscovery == other.hasDiscovery && remotes == other.remotes
      && configurationKey == other.configurationKey
  }

  /// Whether what a broker has of `other` is replaced by what it has of this.
  package func hasSameNames(as other: Self) -> Bool {
    id == other.id && prefix == other.prefix && discoveryPrefix == other.discoveryPrefix
  }

  /// Whether a control of this name would share its topics with the board's own.
  package func isReserved(_ control: String) -> Bool {
    Topics.reserved.contains(control) || (configurationKey != nil && control == Topics.configurationName)
  }

  /// The topic of a control's text.
  package func topic(of control: String) -> String { Topics(self).text(control) }

  /// What Home Assistant knows an entity by for ever. The first `_` after `stepperd_` ends the ID, because each `_` of the
  /// ID itself is a colon, which neither an ID nor the name of a control has: else `a` with `b_c` would be `a_b` with `c`.
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

/// The limits of what the network sends. What exceeds them is refused with a report.
package enum MQTTLimit {
  /// Bytes of a topic: two levels of a prefix, an ID, a group, a control and a verb have fewer.
  package static let topicBytes = 1_024
  /// Bytes of a command's payload.
  package static let commandBytes = 4_096
  /// Bytes of a retained message of this bridge's own that is read again after a start.
  package static let retainedBytes = 1 << 20
  /// Bytes of the text that names a command in its result, and of a target's revision.
  static let idBytes = 64
  /// Messages that the broker has not acknowledged; more are not begun.
  static let inFlight = 20
  /// Calls that the daemon has not answered.
  static let calls = 32
  /// Results that wait for the broker: of a burst of commands each has one.
  static let results = 256
  /// Commands that are taken at once, and the time for each one after that: 50 a second.
  static let commandBurst = 100
  static let commandInterval = Duration.milliseconds(20)
  /// How long commands with an ID are remembered; in that time no more than 3,100 are done. Of so many as here, those of
  /// before it are forgotten.
  static let doneCommands = 4_096
  static let doneTime = Duration.seconds(60)
  /// The time between two reports of dropped commands.
  static let dropReportInterval = Duration.seconds(60)
  /// How long no command has had a problem with a clock before one is reported again.
  static let clockReportPause = Duration.seconds(60)
  /// The least time between two writes of the revisions of targets, and before the next one when they could not be written.
  static let revisionInterval = Duration.seconds(1)
  static let revisionRetryPause = Duration.seconds(10)
  /// Bytes of the name of a control, as in the configuration.
  static let nameBytes = 64
  /// Controls that are published, as in the configuration.
  static let controls = 256
  /// Controls whose revisions are kept, those of former configurations included.
  static let revisions = 1_024
  /// Bytes of the action of a remote, detents of one, and unknown ones of one remote that are reported.
  static let actionBytes = 64
  static let detents: Int64 = 32
  static let unknownActions = 16
  /// Configurations that are read at once, and the time for each one after that.
  static let configurationBurst = 10
  static let configurationInterval = Duration.milliseconds(200)
  /// Moments that are passed on at once, and the time for each one after that.
  static let momentBurst = 50
  static let momentInterval = Duration.milliseconds(20)
  /// The greatest time between two messages that say when the board was there.
  static let signInterval = Duration.seconds(60)
  /// Controls of former lives that are remembered until their topics are cleared.
  static let formerControls = 512
  /// Components of an announcement of before, of which a control has five at most.
  static let formerComponents = 8 * controls
  /// Topics of retained commands that are remembered.
  static let retainedCommands = 64
}
