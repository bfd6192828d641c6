import Varlink

/// A command as it came, read but not done.
struct Command: Hashable, Sendable {
  var call: MQTTBridgeCall
  var id: CommandID?
  /// The instance that `ifSequence` is of.
  var instance: String?
  var time: CommandTime?
}

/// Reads payloads, which anybody on the network may have written.
enum CommandPayload {
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

  /// `30`, or `{"value": 30, "ifSequence": 17, "id": "a"}`.
  private static func set(_ payload: [UInt8], of control: String) throws(MQTTCallFailure) -> Command {
    let text = try plainText(payload)
    guard isObject(text) else {
      return Command(call: .set(control: control, .text(PlainPayload.read(text)), ifSequence: nil))
    }
    let members: SetMembers = try members(payload, "a set")
    let value = try value(members.value, members.text)
    return Command(
      call: .set(control: control, value, ifSequence: members.ifSequence), id: members.id,
      instance: members.instance, time: members.time)
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
    let members: StepMembers = try members(payload, "a step")
    guard members.unit == nil || members.unit == "step" || members.unit == "page" else {
      throw .invalid("\"unit\" is \"step\" or \"page\"")
    }
    return Command(
      call: .step(control: control, steps: members.steps, isPage: members.unit == "page"), id: members.id,
      time: members.time)
  }

  /// Nothing, any text, or `{"id": "a"}`.
  private static func reset(_ payload: [UInt8], of control: String) throws(MQTTCallFailure) -> Command {
    guard isObject(try plainText(payload)) else { return Command(call: .reset(control: control)) }
    let members: ResetMembers = try members(payload, "a reset")
    return Command(call: .reset(control: control), id: members.id, time: members.time)
  }

  /// `{"value": 30, "revision": "2026-11-23"}`.
  private static func target(
    _ payload: [UInt8], of control: String
  ) throws(MQTTCallFailure) -> (command: Command, revision: String) {
    guard isObject(try plainText(payload)) else {
      throw .invalid("a target is an object such as {\"value\":30,\"revision\":1}")
    }
    let members: TargetMembers = try members(payload, "a target")
    let revision =
      switch members.revision {
      case .text(let text): text
      case .number(let number): String(number)
      }
    let value = try value(members.value, members.text)
    return (
      Command(call: .set(control: control, value, ifSequence: nil), id: members.revision), revision
    )
  }

  private static func value(_ value: Double?, _ text: String?) throws(MQTTCallFailure) -> MQTTValue {
    switch (value, text) {
    case (let value?, nil): return .number(value)
    case (nil, let text?): return .text(text)
    default: throw .invalid("an object needs either \"value\" or \"text\"")
    }
  }

  /// Of an object; `what` it is, for messages.
  static func members<Members: CommandMembers>(
    _ payload: [UInt8], _ what: String
  ) throws(MQTTCallFailure) -> Members {
    let object: VarlinkParameters
    do throws(VarlinkMessageError) {
      object = try VarlinkParameters(json: payload)
    } catch {
      throw .invalid("it begins as an object and is not valid JSON: \(excerpt(error.reason))")
    }
    do throws(JSONMisfit) {
      return try object.read(Members.self)
    } catch {
      let member = error.member.map { "\"\(excerpt($0))\": " } ?? ""
      throw .invalid("\(member)\(error.reason); \(what) has \(Members.names)")
    }
  }

  /// What a command names itself by, also where the rest of it is wrong; nil: it has no name, or none that can be read.
  static func id(_ payload: [UInt8]) -> CommandID? {
    guard payload.count <= MQTTLimit.commandBytes else { return nil }
    // Its errors have been reported.
    return (try? VarlinkParameters(json: payload).read(NameMember.self))?.id
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
