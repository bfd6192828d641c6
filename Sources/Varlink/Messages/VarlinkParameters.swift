import FoundationEssentials

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
    if let value = value as? any JSONWritable {
      var json: [UInt8] = []
      value.appendJSON(to: &json)
      self.json = json
      return
    }
    let json: [UInt8]
    do {
      json = Array(try Self.encoder.encode(value))
    } catch {
      throw VarlinkMessageError("\(type(of: value)) cannot be encoded: \(error)")
    }
    guard json.first == UInt8(ascii: "{") else {
      throw VarlinkMessageError("\(type(of: value)) does not encode to a JSON object")
    }
    self.json = json
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
      return try Self.decoder.decode(type, from: Data(json))
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
      return try Value(from: StrictParameters(json))
    } catch let error as DecodingError {
      throw ServiceInterface.InvalidParameter(refusing: error.parameter ?? "parameters")
    } catch {
      throw ServiceInterface.InvalidParameter(parameter: "parameters")
    }
  }

  private static let decoder = JSONDecoder()
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
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
