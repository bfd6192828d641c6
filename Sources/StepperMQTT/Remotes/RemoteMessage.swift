import Varlink

/// A message of a knob or remote: an object with `action` as Zigbee2MQTT publishes it, or the action alone.
struct RemoteMessage: JSONReadable {
  /// nil: it is about something else, such as the battery.
  let action: String?
  let stepSize: Double?
  let time: Double?
  /// Whether it says when the device was seen, to the millisecond, so that no two messages are equal.
  let hasTime: Bool

  init(json object: JSONValue) throws(JSONMisfit) {
    var members = try JSONMembers(object)
    action = try members.optional("action")
    stepSize = try members.optional("action_step_size")
    time = try members.optional("action_time")
    let seen: JSONValue? = try members.optional("last_seen")
    // `ISO_8601_local` of Zigbee2MQTT is a text of whole seconds; what is no text is a number of milliseconds.
    hasTime = seen.map { (try? String(json: $0))?.utf8.contains(UInt8(ascii: ".")) ?? true } ?? false
  }

  private init(action: String) { (self.action, stepSize, time, hasTime) = (action, nil, nil, false) }

  /// nil: it is not one.
  static func read(_ payload: [UInt8]) -> RemoteMessage? {
    guard payload.count <= MQTTLimit.commandBytes else { return nil }
    if payload.first == UInt8(ascii: "{") {
      // What is no message of a remote is none of ours.
      return try? VarlinkParameters(json: payload).decode(RemoteMessage.self)
    }
    return OutsideText(payload, atMost: MQTTLimit.actionBytes)?.text.map(RemoteMessage.init(action:))
  }

  /// How many detents a turn has.
  func detents(_ amount: (member: RemoteActions.Amount, detent: Double)) -> Int64 {
    let value: Double? =
      switch amount.member {
      case .none: nil
      case .stepSize: stepSize
      case .time: time
      }
    guard let value, value.isFinite else { return 1 }
    return Int64(max(1, min((value.magnitude / amount.detent).rounded(), Double(MQTTLimit.detents))))
  }
}
