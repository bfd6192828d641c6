import FoundationEssentials

/// Learns the fields of a type, in order, from what it asks its decoder for.
enum FieldRecorder {
  static func fields<Value: Decodable>(of type: Value.Type) -> [String] {
    let fields = Fields()
    do { _ = try Value(from: RecordingDecoder(fields: fields)) } catch { fields.list.append("\(error)") }
    return fields.list
  }

  /// What `type` is called in an interface description.
  fileprivate static func name(_ type: Any.Type) -> String { name("\(type)") }

  private static func name(_ name: String) -> String {
    if name.hasPrefix("Array<") { return "[]" + Self.name(String(name.dropFirst(6).dropLast())) }
    if name == "Dictionary<String, String>" { return "[string]string" }
    return ["String": "string", "Int": "int", "Int64": "int", "Double": "float", "Bool": "bool"][name] ?? name
  }

  /// Any value of `type`.
  fileprivate static func sample<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let words = [
      "none", "continuous", "startup", "step", "button", "absent", "warning", "decimal", "off", "light",
      "counter", "increment",
    ].map { "\"\($0)\"" }
    for json in ["false", "0", "\"\"", "[]"] + words {
      // The first that fits will do; most do not.
      if let value = try? JSONDecoder().decode(type, from: Data(json.utf8)) { return value }
    }
    return try Value(from: RecordingDecoder(fields: Fields()))
  }
}

private final class Fields {
  var list: [String] = []
}

private struct RecordingDecoder: Decoder {
  let fields: Fields
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordingContainer(fields: fields))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotAStruct() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NotAStruct() }
}

private struct NotAStruct: Error {}

private struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let fields: Fields
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { true }

  private func required<Value: Decodable>(_ key: Key) throws -> Value {
    fields.list.append("\(key.stringValue): \(FieldRecorder.name(Value.self))")
    return try FieldRecorder.sample(Value.self)
  }
  private func optional<Value>(_ key: Key) -> Value? {
    fields.list.append("\(key.stringValue): ?\(FieldRecorder.name(Value.self))")
    return nil
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try required(key) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try required(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try required(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try required(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try required(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try required(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try required(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try required(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try required(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try required(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try required(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try required(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try required(key) }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    optional(key)
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { optional(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { optional(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { optional(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { optional(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { optional(key) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  { throw NotAStruct() }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NotAStruct() }
  func superDecoder() throws -> any Decoder { throw NotAStruct() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw NotAStruct() }
}
