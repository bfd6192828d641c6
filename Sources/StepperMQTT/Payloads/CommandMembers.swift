import Varlink

/// The members of a command that is a JSON object. What a verb does not have is refused: a condition with a typing error
/// would be no condition.
protocol CommandMembers: JSONReadable {
  /// For messages.
  static var names: String { get }
}

struct SetMembers: CommandMembers {
  static let names = "\"value\" or \"text\", \"ifSequence\", \"instance\", \"time\", \"maxAge\" and \"id\""

  let value: Double?
  let text: String?
  let ifSequence: Int64?
  let instance: String?
  let time: CommandTime?
  let id: CommandID?

  init(json object: JSONValue) throws(JSONMisfit) {
    var members = try JSONMembers(object)
    value = try members.optional("value")
    text = try members.optional("text")
    // Version 0.1.0 had this spelling.
    let former: Int64? = try members.optional("if_sequence")
    ifSequence = try members.optional("ifSequence") ?? former
    instance = try members.optional("instance")
    time = try CommandTime(&members)
    id = try members.optional("id")
    try members.end()
  }
}

struct StepMembers: CommandMembers {
  static let names = "\"steps\", \"unit\", \"time\", \"maxAge\" and \"id\""

  let steps: Int64
  let unit: String?
  let time: CommandTime?
  let id: CommandID?

  init(json object: JSONValue) throws(JSONMisfit) {
    var members = try JSONMembers(object)
    steps = try members.value("steps")
    unit = try members.optional("unit")
    time = try CommandTime(&members)
    id = try members.optional("id")
    try members.end()
  }
}

struct ResetMembers: CommandMembers {
  static let names = "\"time\", \"maxAge\" and \"id\""

  let time: CommandTime?
  let id: CommandID?

  init(json object: JSONValue) throws(JSONMisfit) {
    var members = try JSONMembers(object)
    time = try CommandTime(&members)
    id = try members.optional("id")
    try members.end()
  }
}

struct TargetMembers: CommandMembers {
  static let names = "\"value\" or \"text\", and \"revision\""

  let value: Double?
  let text: String?
  let revision: CommandID

  init(json object: JSONValue) throws(JSONMisfit) {
    var members = try JSONMembers(object)
    value = try members.optional("value")
    text = try members.optional("text")
    revision = try members.value("revision")
    try members.end()
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
