import Varlink

/// A configuration that is sent to boards:
/// `{"to": "kiosk-7", "version": 42, "configuration": "[control.volume]…", "signature": "…"}`.
package struct SignedConfiguration: Hashable, Sendable {
  /// The ID of a board, or `$group/` and the name of a group.
  package let to: String
  /// Each version is higher than the one before.
  package let version: Int64
  /// The text of the included file.
  package let text: String
  /// The signature of ``signedBytes``, in base64.
  package var signature = ""

  /// The most bytes of a message.
  package static let mostBytes = 64 << 10
  /// The whole numbers that every JSON parser represents exactly.
  package static let versions: ClosedRange<Int64> = 1...(1 << 53)

  package init(to: String, version: Int64, text: String) {
    (self.to, self.version, self.text) = (to, version, text)
  }

  /// The bytes that are signed: a line that names the purpose, so that no signature made for another purpose fits; the receiver; the
  /// version; then the text. A receiver contains no line breaks.
  package var signedBytes: [UInt8] {
    Array("stepperd configuration 1\n\(to)\n\(version)\n\(text)".utf8)
  }

  // MARK: The included file

  private static let heading = "# Configuration "

  /// The included file with this configuration. Its content differs with each attempt, so that the daemon always reads it.
  func file(attempt: Int64) -> String {
    "\(Self.heading)\(version), attempt \(attempt): written by stepperd-mqtt.\n\(text)"
  }

  /// The version and the text in an included file; nil: the file was not sent.
  static func read(file: String) -> (version: Int64, text: String)? {
    let bytes = file.utf8
    guard bytes.starts(with: heading.utf8), let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    let digits = bytes.dropFirst(heading.utf8.count).prefix {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    guard let version = Int64(String(digits) ?? ""), versions.contains(version) else { return nil }
    return (version, String(file[bytes.index(after: end)...]))
  }

  // MARK: The message

  /// The JSON message.
  package var json: [UInt8] {
    let object: JSONObject = ["to": to, "version": version, "configuration": text, "signature": signature]
    return object.payload
  }

  package enum Refusal: Error, Hashable, Sendable {
    /// Not signed by a key that the board knows, or not understood. Nothing in it is trusted.
    case untrusted(String)
    /// Correctly signed, but not for this board.
    case misdirected(String)
  }

  /// Reads a message, which anybody on the network may have written.
  package static func read(
    _ payload: [UInt8], by key: VerifyingKey, for id: String, in groups: [String]
  ) throws(Refusal) -> Self {
    guard payload.count <= mostBytes else {
      throw .untrusted("it has \(payload.count) bytes; at most \(mostBytes) are read")
    }
    let message: Self
    do throws(MQTTCallFailure) {
      message = try CommandPayload.members(payload, form) { members throws(JSONMisfit) in try Self(&members) }
    } catch {
      throw .untrusted(error.message)
    }
    guard let signature = signatureBytes(base64: message.signature),
      key.verifies(signature, of: message.signedBytes)
    else { throw .untrusted("its signature is not by the key in config-key-file") }
    guard message.to == id || groups.contains(where: { message.to == "$group/\($0)" }) else {
      throw .misdirected("it is signed for \(CommandPayload.excerpt(message.to)), and this board is \(id)")
    }
    guard versions.contains(message.version) else { throw .misdirected("its version is out of range") }
    return message
  }

  private static let form =
    "a signed configuration has \"to\", \"version\", \"configuration\" and \"signature\""

  private init(_ members: inout JSONMembers) throws(JSONMisfit) {
    to = try members.value("to")
    version = try members.value("version")
    text = try members.value("configuration")
    signature = try members.value("signature")
  }
}
