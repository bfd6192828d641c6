/// The parameters of a message: a JSON object, kept as its text until it is decoded.
public struct VarlinkParameters: Sendable {
  /// The message that contains the object, or the object alone.
  private let bytes: [UInt8]
  private let range: Range<Int>
  private let noted: [JSONScanner.Member]?

  /// The empty object `{}`.
  public static let empty = VarlinkParameters(validated: Array("{}".utf8))

  /// Requires that `bytes` are a JSON object.
  private init(validated bytes: [UInt8], members: [JSONScanner.Member]? = nil) {
    (self.bytes, range, noted) = (bytes, bytes.indices, members)
  }

  /// The object at `range` of a message that was scanned, with its members if they were noted.
  init(of message: [UInt8], at range: Range<Int>, members: [JSONScanner.Member]? = nil) {
    (bytes, self.range, noted) = (message, range, members)
  }

  /// The text of a valid JSON object.
  public var json: [UInt8] { Array(text) }

  /// The bytes of ``json``.
  var text: ArraySlice<UInt8> { bytes[range] }

  func value(_ rules: JSONValue.Rules) -> JSONValue {
    JSONValue(bytes, at: range, rules, members: noted)
  }

  /// The properties of `value` as parameters; properties that are nil are left out.
  ///
  /// Throws if `value` holds a number that is not finite, or does not encode to a JSON object.
  public init(encoding value: some JSONWritable) throws(VarlinkMessageError) {
    var json: [UInt8] = []
    try Self.append(value, to: &json)
    self.init(validated: json)
  }

  /// Appends `value` as the JSON object that it writes.
  static func append(_ value: some JSONWritable, to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    let start = buffer.count
    try value.appendJSON(to: &buffer)
    guard buffer[start] == UInt8(ascii: "{") else {
      throw VarlinkMessageError("\(type(of: value)) does not encode to a JSON object")
    }
  }

  /// The parameters written in `json`, which must be one JSON object.
  public init(json: some Sequence<UInt8>) throws(VarlinkMessageError) {
    let json = Array(json)
    self.init(validated: json, members: try JSONScanner.members(of: json))
  }

  /// Decodes leniently, as a client should: fields that `type` does not have are ignored.
  public func decode<Value: JSONReadable>(_ type: Value.Type) throws(VarlinkMessageError) -> Value {
    do throws(JSONMisfit) {
      return try Value(json: value(.lenient))
    } catch {
      throw VarlinkMessageError("parameters do not fit \(type): \(error)")
    }
  }

  /// Reads strictly, as a service should, and throws if the parameters do not fit.
  package func read<Value: JSONReadable>(_ type: Value.Type) throws(JSONMisfit) -> Value {
    try Value(json: value(.strict))
  }

  /// Decodes strictly, as a service should: unknown fields are refused, and so are integers beyond ±2^53.
  ///
  /// Throws `org.varlink.service.InvalidParameter` with the name of the first field that does not fit.
  func decodeStrictly<Value: JSONReadable>(
    _ type: Value.Type
  ) throws(ServiceInterface.InvalidParameter) -> Value {
    do throws(JSONMisfit) {
      return try read(type)
    } catch {
      throw ServiceInterface.InvalidParameter(refusing: error.member ?? "parameters")
    }
  }
}

extension VarlinkParameters: Hashable {
  /// Whether the texts are equal.
  public static func == (left: VarlinkParameters, right: VarlinkParameters) -> Bool {
    left.text == right.text
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension VarlinkParameters: CustomStringConvertible {
  /// The text of the object.
  public var description: String { OutsideText.shown(text.span) }
}
