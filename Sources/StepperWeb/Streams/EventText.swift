internal import Varlink

/// The text of server-sent events (HTML Living Standard, 9.2).
enum EventText {
  /// The time after which a browser connects again.
  static let start = Array("retry: 1000\n\n".utf8)

  /// Appends an event. The data must be of one line, as JSON here is: line ends in texts are escaped.
  static func append(
    _ type: StaticString, id: String? = nil, to buffer: inout [UInt8], data: (inout [UInt8]) -> Void
  ) {
    if let id {
      JSONText.append(literal: "id: ", to: &buffer)
      buffer += id.utf8
      buffer.append(UInt8(ascii: "\n"))
    }
    JSONText.append(literal: "event: ", to: &buffer)
    JSONText.append(literal: type, to: &buffer)
    JSONText.append(literal: "\ndata: ", to: &buffer)
    data(&buffer)
    JSONText.append(literal: "\n\n", to: &buffer)
  }
}

/// What a reader of events has seen: `INSTANCE:SEQUENCE`.
struct EventID: Hashable, Sendable {
  /// The most bytes of one that is read.
  static let byteLimit = 512

  let instance: String
  let sequence: Int64

  /// With control characters, spaces and `%` of the instance percent-encoded.
  var text: String {
    var text = ""
    for byte in instance.utf8 {
      if byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "%") {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += byte < 16 ? "%0" : "%"
        text += String(byte, radix: 16, uppercase: true)
      }
    }
    return "\(text):\(sequence)"
  }
}

extension EventID {
  /// Splits `text` at its last colon; nil if it is none of these.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count <= Self.byteLimit, let colon = text.lastIndex(of: ":"),
      let sequence = Int64(text[text.index(after: colon)...]),
      let instance = PercentEncoding.decoded(text[..<colon])
    else { return nil }
    self.init(instance: instance, sequence: sequence)
  }
}

/// The encoding of bytes in addresses (RFC 3986, 2.1).
enum PercentEncoding {
  /// nil: it is no UTF-8 after that, or a `%` is without its two digits.
  static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
