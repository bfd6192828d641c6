internal import Varlink

/// The payload of a plain text on its own topic, as people write it.
///
/// Some texts would have another meaning as payloads: an empty payload clears a retained message, and for Home Assistant a few words mean
/// that there is no value or no connection. Such texts are quoted, as JSON strings. So are texts that would be read back differently:
/// those that begin with a quote or like an object, and those that begin or end with a space.
enum PlainPayload {
  /// The payload of a control without a value. It is Home Assistant's own word.
  static let unset = "None"

  /// The words that are quoted, in lower case.
  private static let words: Set<String> = ["", "none", "unknown", "unavailable", "online", "offline"]

  static func text(_ text: String) -> String {
    guard words.contains(text.lowercased()) || isReadOtherwise(text.utf8) else { return text }
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    // The bytes come from the text above.
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isReadOtherwise(_ text: String.UTF8View) -> Bool {
    guard let first = text.first, let last = text.last else { return false }
    return "\"{".utf8.contains(first) || isSpace(first) || isSpace(last)
  }

  /// Spaces around a payload, such as the line end that a shell command appends, do not belong to it.
  static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

  /// The text that a payload stands for. A payload that begins with a quote but is not a JSON string stands for itself.
  static func read(_ payload: String) -> String {
    guard payload.utf8.first == UInt8(ascii: "\"") else { return payload }
    let object = Array("{\"text\":".utf8) + Array(payload.utf8) + Array("}".utf8)
    let text: String? = readMembers(of: object) { members throws(JSONMisfit) in
      let text: String = try members.value("text")
      try members.end()
      return text
    }
    return text ?? payload
  }
}
