/// A value in a message, at the range that the scanner found. It shares the bytes of the message without copying
/// them.
public struct JSONValue: Sendable {
  /// What is refused even though it fits the type.
  enum Rules {
    /// The rules for a client, so that a service may send more than the client knows: members that the type does not
    /// have are ignored, and integers may be as large as the type holds.
    case lenient
    /// The rules for a service: members that the type does not have are refused, and so are integers beyond ±2^53,
    /// which many clients cannot represent exactly.
    case strict
  }

  /// The message, which the scanner found valid.
  let bytes: [UInt8]
  let kind: JSONScanner.Kind
  /// Whether the value is a string of printable ASCII without an escape.
  private let isPlain: Bool
  let range: Range<Int>
  let rules: Rules
  /// The members of the value, if the scanner has noted them.
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

  /// The members of an object.
  var members: JSONScanner.Members {
    if let noted { return JSONScanner.Members(noted: noted) }
    return JSONScanner.Members(of: bytes, in: range)
  }
  var text: ArraySlice<UInt8> { bytes[range] }

  // MARK: Scalars

  /// The boolean; nil if the value is not one.
  var boolean: Bool? { kind == .boolean ? bytes[range.lowerBound] == UInt8(ascii: "t") : nil }

  /// The string; nil if the value is not a string, or, for a service, not an acceptable one. A client gets such a
  /// string as ``OutsideText/shown``.
  var string: String? {
    guard kind == .string else { return nil }
    let content = range.dropFirst().dropLast()
    if let text = JSONString.string(in: bytes, at: content, isPlain: isPlain) { return text }
    guard rules == .lenient else { return nil }
    return OutsideText.shown(JSONString.unescaped(bytes.span.extracting(content)).span)
  }

  /// The number; nil if the value is not a number that fits in a double.
  var double: Double? { kind == .number ? JSONNumber.double(text) : nil }

  /// The whole number; nil if the value is none, does not fit in `type`, or is not allowed by the rules.
  func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    guard kind == .number, let value = JSONNumber.integer(text, as: type) else { return nil }
    return rules == .lenient || ParameterLimit.wholeNumbers.contains(Int64(clamping: value)) ? value : nil
  }
}
