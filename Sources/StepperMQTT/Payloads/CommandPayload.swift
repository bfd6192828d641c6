import Varlink

/// A command that was parsed but not done yet.
struct Command: Hashable, Sendable {
  var call: MQTTBridgeCall
  var id: CommandID?
  /// The instance that `ifSequence` refers to.
  var instance: String?
  var time: CommandTime?
}

/// Reads payloads, which anybody on the network may have written.
enum CommandPayload {
  /// Parses a message, such as `30` or `{"value": 30, "ifSequence": 17, "id": "a"}`, into a command and, for a target, its revision.
  static func read(
    _ received: ReceivedCommand
  ) throws(MQTTCallFailure) -> (command: Command, revision: String?) {
    let (verb, control) = (received.verb, received.control)
    let text = try plainText(received.payload)
    guard text.utf8.first == UInt8(ascii: "{") else {
      return (Command(call: try call(verb, of: control, text)), nil)
    }
    let read = try members(received.payload, verb.form) { members throws(JSONMisfit) in
      try CommandMembers(&members, of: verb)
    }
    let call = try call(verb, of: control, read)
    let command = Command(call: call, id: read.id, instance: read.instance, time: read.time)
    return (command, verb == .target ? read.id?.text : nil)
  }

  /// The call for a payload that is not an object.
  private static func call(
    _ verb: Topics.Verb, of control: String, _ text: String
  ) throws(MQTTCallFailure) -> MQTTBridgeCall {
    switch verb {
    case .set: return .set(control: control, .text(PlainPayload.read(text)), ifSequence: nil)
    case .step:
      guard let steps = Int64(text) else {
        throw .invalid("a step is a whole number such as 3 or -1, found \"\(excerpt(text))\"")
      }
      return .step(control: control, steps: steps, isPage: false)
    case .reset: return .reset(control: control)
    case .target: throw .invalid("a target is an object such as {\"value\":30,\"revision\":1}")
    }
  }

  private static func call(
    _ verb: Topics.Verb, of control: String, _ members: CommandMembers
  ) throws(MQTTCallFailure) -> MQTTBridgeCall {
    switch verb {
    case .set, .target:
      return .set(control: control, try value(members.value, members.text), ifSequence: members.ifSequence)
    case .step:
      guard [nil, "step", "page"].contains(members.unit) else {
        throw .invalid("\"unit\" is \"step\" or \"page\"")
      }
      return .step(control: control, steps: members.steps, isPage: members.unit == "page")
    case .reset: return .reset(control: control)
    }
  }

  private static func value(_ value: Double?, _ text: String?) throws(MQTTCallFailure) -> MQTTValue {
    switch (value, text) {
    case (let value?, nil): return .number(value)
    case (nil, let text?): return .text(text)
    default: throw .invalid("an object needs either \"value\" or \"text\"")
    }
  }

  /// Reads an object with `read`, which must take all of its members. `form` describes the permitted members, for messages.
  static func members<Value>(
    _ payload: [UInt8], _ form: String, _ read: (inout JSONMembers) throws(JSONMisfit) -> Value
  ) throws(MQTTCallFailure) -> Value {
    let object: VarlinkParameters
    do throws(VarlinkMessageError) {
      object = try VarlinkParameters(json: payload)
    } catch {
      throw .invalid("it begins as an object and is not valid JSON: \(excerpt(error.reason))")
    }
    do throws(JSONMisfit) {
      var members = try JSONMembers(object.read(JSONValue.self))
      let value = try read(&members)
      try members.end()
      return value
    } catch {
      let member = error.member.map { "\"\(excerpt($0))\": " } ?? ""
      throw .invalid("\(member)\(error.reason); \(form)")
    }
  }

  /// The ID of a command, even if the rest of the command is wrong; nil: it has none, or none that can be read.
  static func id(_ payload: [UInt8]) -> CommandID? {
    guard payload.count <= MQTTLimit.commandBytes else { return nil }
    // Errors in the payload have already been reported.
    return readMembers(of: payload) { members throws(JSONMisfit) -> CommandID? in
      let id: CommandID? = try members.optional("id")
      return try members.optional("revision") ?? id
    } ?? nil
  }

  /// The payload without leading and trailing spaces and line ends.
  private static func plainText(_ payload: [UInt8]) throws(MQTTCallFailure) -> String {
    guard payload.count <= MQTTLimit.commandBytes else {
      throw .invalid("it has more than \(MQTTLimit.commandBytes) bytes")
    }
    let start = payload.drop(while: PlainPayload.isSpace)
    guard let last = start.lastIndex(where: { !PlainPayload.isSpace($0) }) else { return "" }
    guard let text = OutsideText.text(start[...last]), !payload.contains(0) else {
      throw .invalid("it is not \(OutsideText.requirement)")
    }
    return text
  }

  /// The beginning of a text from the network, on one line.
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
