import Varlink

/// The members of a command that is a JSON object. What its verb does not have is refused: a condition with a typing error
/// would be no condition.
struct CommandMembers {
  private(set) var value: Double?
  private(set) var text: String?
  private(set) var ifSequence: Int64?
  private(set) var instance: String?
  private(set) var steps: Int64 = 0
  private(set) var unit: String?
  private(set) var time: CommandTime?
  /// Of a target its revision.
  private(set) var id: CommandID?

  init(_ members: inout JSONMembers, of verb: Topics.Verb) throws(JSONMisfit) {
    if verb == .set || verb == .target {
      value = try members.optional("value")
      text = try members.optional("text")
    }
    if verb == .set {
      // Version 0.1.0 had this spelling.
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
  /// The members of its commands, for messages.
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

/// What a command names itself by, whatever else it has.
struct NameMember: JSONReadable {
  let id: CommandID?

  init(json object: JSONValue) throws(JSONMisfit) {
    var members = try JSONMembers(object)
    let id: CommandID? = try members.optional("id")
    self.id = try members.optional("revision") ?? id
  }
}

/// What a command names itself by; its result has the same.
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
    if let number = try? Int64(json: value) {  // It may be a text.
      self = .number(number)
      return
    }
    guard let text = try? String(json: value) else {  // Neither.
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
