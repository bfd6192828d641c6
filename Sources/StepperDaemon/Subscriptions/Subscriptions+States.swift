import StepperConfiguration
import StepperCore
import StepperInterfaces
import Varlink

/// A reply with changed states, which is encoded once for all subscribers that have the same changes to receive.
struct ChangeReply {
  /// The controls, the sequence number and the instance of the encoded reply.
  private var controls: [ControlID] = []
  private var sequence: Int64 = -1
  private var instance = ""
  /// The parameters of the encoded reply.
  private(set) var json: [UInt8] = []
  /// The time of the first input of a device among the changes.
  private(set) var firstInput: Instant?

  /// Encodes a reply with the states of the `changed` controls, without coalesced changes, unless the last reply is the same.
  mutating func encode(_ changed: [ControlID], of world: World) throws(VarlinkMessageError) {
    // States do not change without a new sequence number.
    guard sequence != world.sequence || instance != world.instance || controls != changed else { return }
    sequence = -1
    json.removeAll(keepingCapacity: true)
    try world.appendReply(with: changed, isSnapshot: false, coalesced: 0, to: &json)
    (sequence, instance, firstInput) = (world.sequence, world.instance, world.firstInput(of: changed))
    controls.removeAll(keepingCapacity: true)
    controls += changed
  }
}

/// The replies to `org.stepperd.control.Subscribe`.
extension Subscriptions {
  /// Returns the time of the first input of a device among the changes.
  func sendStates(_ row: Int, on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    guard let report = take(row, at: now) else { return nil }
    coalesced += report.missed
    if let changed = report.controls, report.missed == 0, hasPlainStates(row) {
      connection.reply(continues: true) { bytes throws(VarlinkMessageError) in
        try changeReply.encode(changed, of: world)
        bytes.append(contentsOf: changeReply.json)
      }
      return changeReply.firstInput
    }
    guard case .states(let options) = rows[row].topic else { return nil }
    let controls = report.controls ?? rows[row].controls
    let isSnapshot = report.controls == nil
    var room = ReplyRoom()
    let accessibility = options.language.map { language in
      controls.map { world.accessibility(of: $0, language: language) }
    }
    // The texts for screen readers are never left out. The descriptions get the remaining room.
    for spoken in accessibility ?? [] { _ = room.take(spoken.replySize) }
    let descriptions =
      options.includesDescriptions && isSnapshot
      ? controls.map { id in
        let isWritable = world.mayChange(id, options.peer)
        return world.description(of: id, isWritable: isWritable).fitted(into: &room)
      } : nil
    connection.reply(continues: true) { bytes throws(VarlinkMessageError) in
      try world.appendReply(
        with: controls, isSnapshot: isSnapshot, coalesced: report.missed, descriptions, accessibility,
        to: &bytes)
    }
    return isSnapshot ? nil : world.firstInput(of: controls)
  }
}

extension World {
  /// The controls whose names match a pattern, in the order of the configuration.
  func controls(matching patterns: NamePatterns) -> [ControlID] {
    let (ids, matching) = (ids, patterns.indices(of: configurations.map(\.settings.name)))
    return matching.sorted().map { ids[$0] }
  }

  /// The time of the first input of a device among the states of these controls.
  fileprivate func firstInput(of controls: [ControlID]) -> Instant? {
    var first: Instant?
    for control in controls {
      let entry = entry(of: control)
      if entry.state.origin == .device { first = .earliest(first, entry.state.time) }
    }
    return first
  }

  /// Appends the object of a reply to a subscriber of states.
  func appendReply(
    with controls: [ControlID], isSnapshot: Bool, coalesced: Int64,
    _ descriptions: [ControlInterface.Description]? = nil,
    _ accessibility: [ControlInterface.Accessibility]? = nil, to bytes: inout [UInt8]
  ) throws(VarlinkMessageError) {
    let start = bytes.count
    JSONText.append(",\"snapshot\":", isSnapshot, to: &bytes)
    JSONText.append(",\"instance\":", instance, to: &bytes)
    JSONText.append(",\"sequence\":", sequence, to: &bytes)
    JSONText.append(",\"coalesced\":", coalesced, to: &bytes)
    JSONText.append(literal: ",\"states\":[", to: &bytes)
    for (place, control) in controls.enumerated() {
      if place > 0 { JSONText.append(literal: ",", to: &bytes) }
      try entry(of: control).appendState(to: &bytes)
    }
    JSONText.append(literal: "]", to: &bytes)
    try JSONText.append(",\"descriptions\":", descriptions, to: &bytes)
    try JSONText.append(",\"accessibility\":", accessibility, to: &bytes)
    JSONText.endObject(from: start, in: &bytes)
  }
}
