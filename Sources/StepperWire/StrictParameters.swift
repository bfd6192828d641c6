/// Decodes a `Value` from its decoder and refuses what a `Decodable` type alone would let pass: fields that
/// `Value` did not ask for, and integers that a double cannot hold exactly.
struct StrictParameters<Value: Decodable>: Decodable {
  var value: Value

  init(from decoder: any Decoder) throws {
    let strict = StrictDecoder(base: decoder)
    value = try Value(from: strict)
    let given = try decoder.container(keyedBy: FieldName.self).allKeys
    let unknown = given.filter { !strict.askedFor.names.contains($0.stringValue) }
    guard let first = unknown.min(by: { $0.stringValue < $1.stringValue }) else { return }
    throw DecodingError.dataCorrupted(.init(codingPath: [first], debugDescription: "unknown field"))
  }
}

private struct FieldName: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The fields a type has asked its decoder for.
private final class FieldNames {
  var names: Set<String> = []
}

private struct StrictDecoder: Decoder {
  let base: any Decoder
  let askedFor = FieldNames()

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(StrictContainer(base: try base.container(keyedBy: type), askedFor: askedFor))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }
}

private struct StrictContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let askedFor: FieldNames

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  /// Every optional field is looked for with this first.
  func contains(_ key: Key) -> Bool {
    askedFor.names.insert(key.stringValue)
    return base.contains(key)
  }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(key) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }

  private func value<Value: Decodable>(_ key: Key) throws -> Value {
    askedFor.names.insert(key.stringValue)
    do {
      return try base.decode(Value.self, forKey: key)
    } catch {
      // The library does not say where a number was that does not fit its type.
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath + [key], debugDescription: "does not fit", underlyingError: error))
    }
  }

  private func integer<Value: Decodable & FixedWidthInteger>(_ key: Key) throws -> Value {
    let integer: Value = try value(key)
    guard integer.magnitude <= 1 << 53 as UInt64 else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "beyond ±2^53")
    }
    return integer
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<NestedKey>
  {
    askedFor.names.insert(key.stringValue)
    return try base.nestedContainer(keyedBy: type, forKey: key)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    askedFor.names.insert(key.stringValue)
    return try base.nestedUnkeyedContainer(forKey: key)
  }
  func superDecoder() throws -> any Decoder { try base.superDecoder() }
  func superDecoder(forKey key: Key) throws -> any Decoder { try base.superDecoder(forKey: key) }
}
