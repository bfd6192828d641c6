import StepperCore

/// The commands with an ID that were done in the last minute. A command that is sent again because its result was lost is not done twice.
package struct DoneCommands: Sendable {
  private struct Key: Hashable, Sendable {
    let id: CommandID
    let topic: String
  }
  private struct Entry: Sendable {
    let payload: Fingerprint
    let end: Instant
    /// nil: the daemon has not answered yet.
    var result: MQTTMessage?
  }
  /// An earlier command with the same ID and topic.
  enum Former {
    /// The same command, with its result if there is one already.
    case same(MQTTMessage?)
    case other
  }

  private var entries: [Key: Entry] = [:]

  package init() {}

  /// Records that a command is about to be done. If there was an earlier one with the same ID and topic, returns that and changes nothing.
  mutating func begin(_ id: CommandID, _ command: ReceivedCommand, at now: Instant) -> Former? {
    let (key, payload) = (Key(id: id, topic: command.topic), Fingerprint(command.payload))
    if let former = entries[key], former.end > now {
      return former.payload == payload ? .same(former.result) : .other
    }
    if entries.count >= MQTTLimit.doneCommands { entries = entries.filter { $0.value.end > now } }
    entries[key] = Entry(payload: payload, end: now + MQTTLimit.doneTime)
    return nil
  }

  /// A command has ended with `result`; nil: it was not done, or it is not known whether it was.
  mutating func end(_ id: CommandID, _ topic: String, _ result: MQTTMessage?) {
    let key = Key(id: id, topic: topic)
    if let result { entries[key]?.result = result } else { entries[key] = nil }
  }
}
