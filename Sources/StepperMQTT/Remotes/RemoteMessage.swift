import Varlink

/// A message of a knob or remote: an object with `action`, as Zigbee2MQTT publishes it, or the bare action.
struct RemoteMessage {
  /// nil: the message is about something else, such as the battery.
  let action: String?
  let stepSize: Double?
  let time: Double?
  /// Whether the message says, to the millisecond, when the device was seen, so that no two messages are equal.
  let hasTime: Bool

  private init(_ members: inout JSONMembers) throws(JSONMisfit) {
    action = try members.optional("action")
    stepSize = try members.optional("action_step_size")
    time = try members.optional("action_time")
    let seen: JSONValue? = try members.optional("last_seen")
    // Zigbee2MQTT's `ISO_8601_local` is a text in whole seconds. A value that is not a text is a number of milliseconds.
    hasTime = seen.map { (try? String(json: $0))?.utf8.contains(UInt8(ascii: ".")) ?? true } ?? false
  }

  private init(action: String) { (self.action, stepSize, time, hasTime) = (action, nil, nil, false) }

  /// nil: the payload is not such a message.
  static func read(_ payload: [UInt8]) -> RemoteMessage? {
    guard payload.count <= MQTTLimit.commandBytes else { return nil }
    if payload.first == UInt8(ascii: "{") {
      return readMembers(of: payload) { members throws(JSONMisfit) in try RemoteMessage(&members) }
    }
    return OutsideText(payload, atMost: MQTTLimit.actionBytes)?.text.map(RemoteMessage.init(action:))
  }

  /// The number of detents of a turn.
  func detents(of actions: RemoteActions) -> Int64 {
    let value: Double? =
      switch actions.amount {
      case .none: nil
      case .stepSize: stepSize
      case .time: time
      }
    guard let value, value.isFinite else { return 1 }
    return Int64(max(1, min((value.magnitude / actions.detent).rounded(), Double(MQTTLimit.detents))))
  }
}
