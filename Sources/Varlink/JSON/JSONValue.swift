/// A value of a message, where the scanner found it. Its bytes are those of the message, and are not copied.
public struct JSONValue: Sendable {
  /// What is refused besides what does not fit the type.
  enum Rules {
    /// As a client reads, so that a service may say more than the client knows: members that the type does not have are
    /// ignored, and integers may be as large as the type holds.
    case lenient
    /// As a service reads: members that the type does not have are refused, and so are integers beyond ±2^53, which many
    /// clients cannot count exactly.
    case strict
  }

  /// The message, which the scanner found valid.
  let bytes: [UInt8]
  let kind: JSONScanner.Kind
  /// Whether it is a string of printable ASCII without an escape.
  private let isPlain: Bool
  let range: Range<Int>
  let rules: Rules
  /// Its members, if the scanner has noted them.
  private let noted: [JSONScanner.Member]?

  /// The object at `range`.
  init(_ bytes: [UInt8], at range: Range<Int>, _ rules: Rules, members: [JSONScanner.Member]?) {
    (self.bytes, kind, isPlain, self.range, self.rules) = (bytes, .object, false, range, rules)
    noted = members
  }

  private init(_ member: JSONScanner.Member, of message: JSONValue) {
    (bytes, rules, noted) = (message.bytes, message.rules, nil)
    (kind, isPlain, range) = (member.kind, member.isPlain, member.value)
  }

  /// Another value of the same message.
  func value(_ member: JSONScanner.Member) -> JSONValue { JSONValue(member, of: self) }

  /// Of an object.
  var members: JSONScanner.Members {
    if let noted { return JSONScanner.Members(noted: noted) }
    return JSONScanner.Members(of: bytes, in: range)
  }
  var text: ArraySlice<UInt8> { bytes[range] }

  // MARK: Scalars

  /// nil: it is no boolean.
  var boolean: Bool? { kind == .boolean ? bytes[range.lowerBound] == UInt8(ascii: "t") : nil }

  /// nil: it is no string, or one that a service does not accept. A client is shown what it can be shown of it.
  var string: String? {
    guard kind == .string else { return nil }
    let content = range.dropFirst().dropLast()
    if let text = JSONString.string(in: bytes, at: content, isPlain: isPlain) { return text }
    guard rules == .lenient else { return nil }
    return OutsideText.shown(JSONString.unescaped(bytes.span.extracting(content)).span)
  }

  /// nil: it is no number that a double holds.
  var double: Double? { kind == .number ? JSONNumber.double(text) : nil }

  /// nil: it is no whole number that `type` holds and the rules allow.
  func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    guard kind == .number, let value = JSONNumber.integer(text, as: type) else { return nil }
    return rules == .lenient || ParameterLimit.wholeNumbers.contains(Int64(clamping: value)) ? value : nil
  }
}
