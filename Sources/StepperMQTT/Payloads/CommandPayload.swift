import Varlink

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
    let text = try String(json: value)
    guard text.utf8.count <= MQTTLimit.idBytes else { throw JSONMisfit("it is too long") }
    self = .text(text)
  }
}

/// A command as it came, read but not done.
struct Command: Hashable, Sendable {
  var call: MQTTBridgeCall
  var id: CommandID?
  /// The instance that `if_sequence` is of.
  var instance: String?
}

/// Reads payloads, which anybody on the network may have written.
enum CommandPayload {
  /// The members that a command may have as a JSON object. Others are ignored.
  private struct Members: JSONReadable {
    let value: Double?
    let text: String?
    let ifSequence: Int64?
    let instance: String?
    let steps: Int64?
    let unit: String?
    let id: CommandID?
    let revision: CommandID?

    init(json object: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(object)
      value = try members.optional("value")
      text = try members.optional("text")
      ifSequence = try members.optional("if_sequence")
      instance = try members.optional("instance")
      steps = try members.optional("steps")
      unit = try members.optional("unit")
      id = try members.optional("id")
      revision = try members.optional("revision")
    }
  }

  /// The command that a message is; with the revision of a target.
  static func read(
    _ received: ReceivedCommand
  ) throws(MQTTCallFailure) -> (command: Command, revision: String?) {
    let (payload, control) = (received.payload, received.control)
    switch received.verb {
    case .set: return (try set(payload, of: control), nil)
    case .step: return (try step(payload, of: control), nil)
    case .reset: return (try reset(payload, of: control), nil)
    case .target:
      let (command, revision) = try target(payload, of: control)
      return (command, revision)
    }
  }

  /// `30`, or `{"value": 30, "if_sequence": 17, "id": "a"}`.
  private static func set(_ payload: [UInt8], of control: String) throws(MQTTCallFailure) -> Command {
    let text = try plainText(payload)
    guard isObject(text) else {
      return Command(call: .set(control: control, .text(text), ifSequence: nil))
    }
    let members = try members(payload)
    return Command(
      call: .set(control: control, try value(members), ifSequence: members.ifSequence), id: members.id,
      instance: members.instance)
  }

  /// `-3`, or `{"steps": -3, "unit": "page", "id": "a"}`.
  private static func step(_ payload: [UInt8], of control: String) throws(MQTTCallFailure) -> Command {
    let text = try plainText(payload)
    guard isObject(text) else {
      guard let steps = Int64(text) else {
        throw .invalid("a step is a whole number such as 3 or -1, found \"\(excerpt(text))\"")
      }
      return Command(call: .step(control: control, steps: steps, isPage: false))
    }
    let members = try members(payload)
    guard let steps = members.steps else { throw .invalid("a step needs \"steps\"") }
    guard members.unit == nil || members.unit == "step" || members.unit == "page" else {
      throw .invalid("\"unit\" is \"step\" or \"page\"")
    }
    return Command(
      call: .step(control: control, steps: steps, isPage: members.unit == "page"), id: members.id)
  }

  /// Nothing, any text, or `{"id": "a"}`.
  private static func reset(_ payload: [UInt8], of control: String) throws(MQTTCallFailure) -> Command {
    let text = try plainText(payload)
    let id = isObject(text) ? try members(payload).id : nil
    return Command(call: .reset(control: control), id: id)
  }

  /// `{"value": 30, "revision": "2026-11-23"}`.
  private static func target(
    _ payload: [UInt8], of control: String
  ) throws(MQTTCallFailure) -> (command: Command, revision: String) {
    guard isObject(try plainText(payload)) else {
      throw .invalid("a target is an object such as {\"value\":30,\"revision\":1}")
    }
    let members = try members(payload)
    guard let revision = members.revision else {
      throw .invalid("a target needs a \"revision\", a text or a number that is new for each target")
    }
    let text =
      switch revision {
      case .text(let text): text
      case .number(let number): String(number)
      }
    let call = MQTTBridgeCall.set(control: control, try value(members), ifSequence: nil)
    return (Command(call: call, id: revision), text)
  }

  private static func value(_ members: Members) throws(MQTTCallFailure) -> MQTTValue {
    switch (members.value, members.text) {
    case (let value?, nil): return .number(value)
    case (nil, let text?): return .text(text)
    default: throw .invalid("an object needs either \"value\" or \"text\"")
    }
  }

  private static func members(_ payload: [UInt8]) throws(MQTTCallFailure) -> Members {
    do {
      return try VarlinkParameters(json: payload).decode(Members.self)
    } catch {
      throw .invalid("the object is not understood: \(excerpt(error.reason))")
    }
  }

  /// Without spaces and line ends around it, which programs of the shell append.
  private static func plainText(_ payload: [UInt8]) throws(MQTTCallFailure) -> String {
    guard payload.count <= MQTTLimit.commandBytes else {
      throw .invalid("it has more than \(MQTTLimit.commandBytes) bytes")
    }
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }
    let start = payload.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    guard let text = OutsideText.text(start[...last]), !payload.contains(0) else {
      throw .invalid("it is not \(OutsideText.requirement)")
    }
    return text
  }

  private static func isObject(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "{") }

  /// The beginning of a text of the network, on one line.
  static func excerpt(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(60) {
      let isPlain =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
      result.unicodeScalars.append(isPlain ? scalar : "?")
    }
    return result
  }
}

extension MQTTCallFailure {
  static func invalid(_ message: String) -> Self { Self(code: "invalidParameter", message: message) }
}
