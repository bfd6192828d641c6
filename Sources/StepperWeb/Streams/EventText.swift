internal import StepperCore
internal import Varlink

/// The text of server-sent events (HTML Living Standard, 9.2).
enum EventText {
  /// Sets the time after which a browser reconnects.
  static let start = Array("retry: 1000\n\n".utf8)

  /// Appends an event. Its data is a single line, because line ends in texts are escaped in JSON.
  static func append(_ type: StaticString, id: EventID? = nil, _ data: JSONObject, to buffer: inout [UInt8]) {
    if let id {
      JSONText.append(literal: "id: ", to: &buffer)
      buffer += id.text.utf8
      buffer.append(UInt8(ascii: "\n"))
    }
    JSONText.append(literal: "event: ", to: &buffer)
    JSONText.append(literal: type, to: &buffer)
    JSONText.append(literal: "\ndata: ", to: &buffer)
    buffer += JSON.text(data)
    JSONText.append(literal: "\n\n", to: &buffer)
  }
}

/// What a reader of events has seen: `INSTANCE:SEQUENCE`, or `INSTANCE:SEQUENCE-VIEW` if it is not shown everything.
struct EventID: Hashable, Sendable {
  /// The most bytes of an ID that is parsed.
  static let byteLimit = 512

  let instance: String
  let sequence: Int64
  /// The language of texts if none is configured or requested.
  static let usualLanguage = "en"

  /// Identifies what the reader is shown; nil: all controls, as shown to a client that may change them, in ``usualLanguage``.
  var view: String?

  /// Control characters, spaces and `%` in the instance are percent-encoded.
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
    return "\(text):\(sequence)\(view.map { "-\($0)" } ?? "")"
  }

  /// The name of the view of a client that requests `filter` in `language`, if only the controls of `match` are shown. It is the same in
  /// each run of the program, and differs from that of every other view.
  static func view(
    of filter: ControlFilter, within match: [String], in language: String = usualLanguage, isReadOnly: Bool
  ) -> String? {
    let isUsual = language == usualLanguage
    guard isReadOnly || !filter.patterns.isEmpty || !match.isEmpty || !isUsual else { return nil }
    let patterns =
      [isReadOnly ? "r" : "w"] + filter.patterns + [""] + match + (isUsual ? [] : ["", language])
    return Fingerprint(patterns.flatMap { $0.utf8 + [0] }).text
  }
}

extension EventID {
  /// Splits `text` at its last colon and the hyphen after it; nil: it is not an ID.
  init?(_ text: some BidirectionalCollection<UInt8>) {
    guard text.count <= Self.byteLimit, let colon = text.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    let rest = text[text.index(after: colon)...]
    let hyphen = rest.firstIndex(of: UInt8(ascii: "-"))
    guard let sequence = Int64(OutsideText.shown(rest[..<(hyphen ?? rest.endIndex)])),
      let bytes = PercentEncoding.decoded(text[..<colon]), let instance = OutsideText.text(bytes)
    else { return nil }
    let view = hyphen.map { OutsideText.shown(rest[rest.index(after: $0)...]) }
    self.init(instance: instance, sequence: sequence, view: view)
  }
}
