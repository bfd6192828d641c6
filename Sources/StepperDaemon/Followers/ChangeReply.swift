import StepperCore
import StepperInterfaces
import Varlink

/// A reply with changed states, which is encoded once for all subscribers that have the same changes to receive.
struct ChangeReply {
  /// What the encoded reply contains.
  private var controls: [ControlID] = []
  private var sequence: Int64 = -1
  private var instance = ""
  private var reply = EncodedReply(continues: true)

  /// Sends the states of `changed` controls, none of which were coalesced.
  mutating func send(
    _ changed: [ControlID], of world: World, on connection: inout VarlinkServerConnection
  ) {
    // States do not change without a new number.
    if sequence != world.sequence || instance != world.instance || controls != changed {
      (sequence, instance) = (world.sequence, world.instance)
      controls.removeAll(keepingCapacity: true)
      controls += changed
      do throws(VarlinkMessageError) {
        try reply.encode { bytes throws(VarlinkMessageError) in
          try world.appendReply(with: changed, isSnapshot: false, coalesced: 0, to: &bytes)
        }
      } catch {
        sequence = -1
        connection.reply(continues: true) { _ throws(VarlinkMessageError) in throw error }
        return
      }
    }
    connection.reply(reply)
  }
}

extension World {
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
      try appendState(of: control, to: &bytes)
    }
    JSONText.append(literal: "]", to: &bytes)
    try JSONText.append(",\"descriptions\":", descriptions, to: &bytes)
    try JSONText.append(",\"accessibility\":", accessibility, to: &bytes)
    JSONText.endObject(from: start, in: &bytes)
  }
}
