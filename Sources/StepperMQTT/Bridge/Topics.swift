internal import Varlink

/// The names of a bridge's topics. `P` stands for the prefix and the ID.
struct Topics: Hashable, Sendable {
  /// `P/`.
  let base: String
  private let id: String
  private let prefix: String
  private let groups: [String]
  private let takesConfiguration: Bool
  /// The topic of the board's announcement to Home Assistant, and the topic of Home Assistant's birth message.
  let discovery: String
  let birth: String

  init(_ settings: MQTTBridgeSettings) {
    base = "\(settings.prefix)/\(settings.id)/"
    (id, prefix, groups) = (settings.id, settings.prefix, settings.groups)
    takesConfiguration = settings.configurationKey != nil
    discovery = "\(settings.discoveryPrefix)/device/\(settings.id)/config"
    birth = "\(settings.discoveryPrefix)/status"
  }

  var status: String { base + "status" }
  var info: String { base + "info" }
  /// The state of the configuration that was sent last.
  var configuration: String { base + Self.configurationName }
  static let configurationName = "config"
  var lastSeen: String { base + "last-seen" }
  func text(_ control: String) -> String { base + Self.level(control) }
  func state(_ control: String) -> String { text(control) + "/state" }
  func command(_ control: String, _ verb: Verb) -> String { "\(text(control))/\(verb.rawValue)" }
  func result(_ control: String) -> String { text(control) + "/result" }
  func moment(_ control: String) -> String { text(control) + "/moment" }

  /// The filter for the targets of all controls.
  var targets: String { command("+", .target) }

  /// The topic level of a control. A dot becomes a colon, which names do not contain: NATS closes the connection for a dot, and RabbitMQ
  /// turns it into a slash.
  static func level(_ control: String) -> String { String(control.map { $0 == "." ? ":" : $0 }) }

  /// The control that a level stands for.
  private static func control(_ level: Substring) -> String { String(level.map { $0 == ":" ? "." : $0 }) }

  /// The last level of the topics of commands.
  enum Verb: String, CaseIterable { case set, step, reset, target }

  /// Names of controls that would share their topics with the board's own.
  static let reserved: Set<String> = ["status", "info", "last-seen"]

  /// Whether `name` can be the name of a control, and so a level of a topic.
  static func isControl(_ name: String) -> Bool {
    (1...MQTTLimit.nameBytes).contains(name.utf8.count) && name.utf8.allSatisfy(\.isControlNameByte)
  }

  /// The filters of all subscriptions, all with quality of service 1.
  func filters(_ settings: MQTTBridgeSettings) -> [String] { commandFilters + otherFilters(settings) }

  /// The filters of commands, which count only if they are not retained.
  var commandFilters: [String] {
    [Verb.set, .step, .reset].map { "\(base)+/\($0.rawValue)" }
      + groups.map { "\(prefix)/$group/\($0)/+/set" }
  }

  func otherFilters(_ settings: MQTTBridgeSettings) -> [String] {
    (settings.hasTargets ? [targets] : [])
      // What the board publishes itself: `status`, `info`, texts and states.
      + [base + "+", base + "+/state"] + (settings.hasDiscovery ? [discovery, birth] : [])
      + settings.remotes.map(\.topic)
  }

  /// Whether a topic is that of an announcement of this board, under any prefix of Home Assistant.
  func isDiscovery(_ topic: String) -> Bool {
    topic.utf8.count <= MQTTLimit.topicBytes && topic.hasSuffix("/device/\(id)/config")
      && !topic.contains { "+#".contains($0) }
  }

  /// Whether a topic belongs to this board. Another board's topics may lie below it, if this board's ID is a level of its prefix.
  func isOwn(_ topic: String) -> Bool {
    guard topic.hasPrefix(base) else { return false }
    let levels = topic.dropFirst(base.count).split(separator: "/", omittingEmptySubsequences: false)
    return levels.count == 1 || levels.count == 2 && Self.ofControl.contains(String(levels[1]))
  }

  /// The last levels of a control's topics, apart from the topic of its text.
  private static let ofControl = Set(["state", "result", "moment"] + Verb.allCases.map(\.rawValue))

  /// What a message on a topic is about.
  enum Meaning: Hashable {
    case status, info, discovery, birth
    /// The state of a configuration, and a configuration sent to this board or to a group.
    case configuration, configurationSet
    /// The text or the state of a control, which the board publishes itself.
    case value(control: String, isText: Bool)
    case command(control: String, Verb)
    /// A set command for all boards of a group.
    case groupSet(control: String)
  }

  /// nil: a topic that was not subscribed to.
  func meaning(of topic: String) -> Meaning? {
    if topic == birth { return .birth }
    if topic == discovery { return .discovery }
    if topic.hasPrefix(base) {
      let levels = topic.dropFirst(base.count).split(separator: "/", omittingEmptySubsequences: false)
      if levels.count == 1 {
        switch levels[0] {
        case "status": return .status
        case "info": return .info
        // Whatever arrives there is ignored, and the board publishes the time again soon.
        case "last-seen": return nil
        case Self.configurationName where takesConfiguration: return .configuration
        default: return .value(control: Self.control(levels[0]), isText: true)
        }
      }
      guard levels.count == 2 else { return nil }
      if levels[1] == "state" { return .value(control: Self.control(levels[0]), isText: false) }
      guard let verb = Verb(rawValue: String(levels[1])) else { return nil }
      if takesConfiguration, levels[0] == Self.configurationName {
        return verb == .set ? .configurationSet : nil
      }
      return .command(control: Self.control(levels[0]), verb)
    }
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count >= 4, topic.hasPrefix("\(prefix)/$group/"), levels.last == "set" else { return nil }
    if takesConfiguration, levels[levels.count - 2] == Self.configurationName { return .configurationSet }
    return .groupSet(control: Self.control(levels[levels.count - 2]))
  }
}
