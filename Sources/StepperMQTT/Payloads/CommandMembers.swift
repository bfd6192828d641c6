import Varlink

/// The members of a command that is a JSON object. A member that its verb does not have is refused: otherwise a misspelled condition
/// would be ignored.
struct CommandMembers {
  private(set) var value: Double?
  private(set) var text: String?
  private(set) var ifSequence: Int64?
  private(set) var instance: String?
  private(set) var steps: Int64 = 0
  private(set) var unit: String?
  private(set) var time: CommandTime?
  /// For a target, this is its revision.
  private(set) var id: CommandID?

  init(_ members: inout JSONMembers, of verb: Topics.Verb) throws(JSONMisfit) {
    if verb == .set || verb == .target {
      value = try members.optional("value")
      text = try members.optional("text")
    }
    if verb == .set {
      // The spelling of version 0.1.0.
      let former: Int64? = try members.optional("if_sequence")
      ifSequence = try members.optional("ifSequence") ?? former
      instance = try members.optional("instance")
    }
    if verb == .step {
      steps = try members.value("steps")
      unit = try members.optional("unit")
    }
    if verb == .target {
      let revision: CommandID = try members.value("revision")
      id = revision
    } else {
      time = try CommandTime(&members)
      id = try members.optional("id")
    }
  }
}

extension Topics.Verb {
  /// The members that its commands may have, for messages.
  var form: String {
    switch self {
    case .set:
      "a set has \"value\" or \"text\", \"ifSequence\", \"instance\", \"time\", \"maxAge\" and \"id\""
    case .step: "a step has \"steps\", \"unit\", \"time\", \"maxAge\" and \"id\""
    case .reset: "a reset has \"time\", \"maxAge\" and \"id\""
    case .target: "a target has \"value\" or \"text\", and \"revision\""
    }
  }
}

/// The ID of a command, which its result repeats.
enum CommandID: Hashable, Sendable {
  case text(String)
  case number(Int64)

  var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    }
  }
}

extension CommandID: JSONReadable {
  init(json value: JSONValue) throws(JSONMisfit) {
    if let number = try? Int64(json: value) {  // Otherwise it may be a text.
      self = .number(number)
      return
    }
    guard let text = try? String(json: value) else {  // It is neither.
      throw JSONMisfit("neither a text nor a whole number")
    }
    guard text.utf8.count <= MQTTLimit.idBytes else {
      throw JSONMisfit("longer than \(MQTTLimit.idBytes) bytes")
    }
    self = .text(text)
  }
}

extension CommandID: JSONWritable {
  func appendJSON(to buffer: inout [UInt8]) {
    switch self {
    case .text(let text): text.appendJSON(to: &buffer)
    case .number(let number): number.appendJSON(to: &buffer)
    }
  }
}
