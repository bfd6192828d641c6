internal import Varlink

/// The payload of a text on a topic of its own, as people write it.
///
/// Some texts would be something else there: an empty payload clears a retained message, and Home Assistant takes a few
/// words for the lack of a value or of a connection. These are in quotes, as JSON strings, and so is what would be read as
/// another text: what begins with a quote, what begins as an object, and what begins or ends with a space.
enum PlainPayload {
  /// Of a control that has no value. Home Assistant's own word.
  static let unset = "None"

  /// In lower case.
  private static let words: Set<String> = ["", "none", "unknown", "unavailable", "online", "offline"]

  static func text(_ text: String) -> String {
    guard words.contains(text.lowercased()) || isReadOtherwise(text.utf8) else { return text }
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    // The text above.
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isReadOtherwise(_ text: String.UTF8View) -> Bool {
    guard let first = text.first, let last = text.last else { return false }
    return "\"{".utf8.contains(first) || isSpace(first) || isSpace(last)
  }

  /// Around a payload, such as the line end that a program of the shell appends, it is no part of it.
  static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

  /// The text that a payload stands for. What begins with a quote and is no JSON string stands for itself.
  static func read(_ payload: String) -> String {
    guard payload.utf8.first == UInt8(ascii: "\"") else { return payload }
    let object = Array("{\"text\":".utf8) + Array(payload.utf8) + Array("}".utf8)
    // What is no JSON string is no error.
    return (try? VarlinkParameters(json: object).read(Text.self))?.text ?? payload
  }

  private struct Text: JSONReadable {
    let text: String

    init(json object: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(object)
      text = try members.value("text")
      try members.end()
    }
  }
}
