/// The parameters of a message: a JSON object, kept as its text until it is decoded.
public struct VarlinkParameters: Hashable, Sendable {
  /// The text of a valid JSON object.
  public let json: [UInt8]

  /// `{}`.
  public static let empty = VarlinkParameters(validated: Array("{}".utf8))

  /// `json` is known to be a JSON object.
  init(validated json: [UInt8]) { self.json = json }

  /// The parameters that `value`'s properties are; those that are nil are left out.
  ///
  /// Throws if `value` holds a number that is not finite, or encodes to something else than a JSON object.
  public init(encoding value: some Encodable) throws(VarlinkMessageError) {
    var json: [UInt8] = []
    try Self.append(value, to: &json)
    self.json = json
  }

  /// Appends `value` as a JSON object: as it writes itself, or else as it encodes itself.
  static func append(_ value: some Encodable, to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    let start = buffer.count
    if let value = value as? any JSONWritable {
      try value.appendJSON(to: &buffer)
    } else {
      do {
        try JSONText.appendSorted(value, to: &buffer)
      } catch {
        throw VarlinkMessageError("\(type(of: value)) cannot be encoded: \(error)")
      }
    }
    guard buffer[start] == UInt8(ascii: "{") else {
      throw VarlinkMessageError("\(type(of: value)) does not encode to a JSON object")
    }
  }

  /// The parameters written in `json`, which must be one JSON object.
  public init(json: some Sequence<UInt8>) throws(VarlinkMessageError) {
    let json = Array(json)
    _ = try JSONScanner.members(of: json)
    self.json = json
  }

  /// Decodes leniently, as a client should: fields that `type` does not have are ignored.
  public func decode<Value: Decodable>(_ type: Value.Type) throws(VarlinkMessageError) -> Value {
    do {
      return try Value(from: JSONDecoding(json, .lenient))
    } catch {
      throw VarlinkMessageError("parameters do not fit \(type): \(error)")
    }
  }

  /// Decodes strictly, as a service should: unknown fields are refused, and so are integers beyond ±2^53.
  ///
  /// Throws `org.varlink.service.InvalidParameter` with the name of the first field that does not fit.
  func decodeStrictly<Value: Decodable>(_ type: Value.Type) throws(ServiceInterface.InvalidParameter) -> Value
  {
    do {
      return try Value(from: JSONDecoding(json, .strict))
    } catch let error as DecodingError {
      throw ServiceInterface.InvalidParameter(refusing: error.parameter ?? "parameters")
    } catch {
      throw ServiceInterface.InvalidParameter(parameter: "parameters")
    }
  }
}

extension DecodingError {
  /// The outermost field that could not be decoded.
  fileprivate var parameter: String? {
    switch self {
    case .keyNotFound(let key, let context): (context.codingPath + [key]).first?.stringValue
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.first?.stringValue
    @unknown default: nil
    }
  }
}
