/// Decodes the parameters of a call as a service should: fields that the type does not have are refused, and so are
/// integers beyond ±2^53, which many clients cannot count exactly.
///
/// It reads the members where the scanner found them. What does not fit is a `DecodingError` whose coding path begins
/// with the parameter.
struct StrictParameters: Decoder {
  fileprivate let json: [UInt8]
  fileprivate let kind: JSONScanner.Kind
  /// Where the value is in `json`.
  fileprivate let range: Range<Int>
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Of the valid JSON object `json`.
  init(_ json: [UInt8]) {
    self.init(json: json, kind: .object, range: json.indices, codingPath: [])
  }

  fileprivate init(json: [UInt8], kind: JSONScanner.Kind, range: Range<Int>, codingPath: [any CodingKey]) {
    self.json = json
    self.kind = kind
    self.range = range
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard kind == .object else { throw misfit("not an object") }
    let members = JSONScanner.members(of: json, in: range)
    if let first = members.lazy.map(\.name).filter({ Key(stringValue: $0) == nil }).min() {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath + [FieldName(stringValue: first)], debugDescription: "unknown field"))
    }
    return KeyedDecodingContainer(Fields<Key>(json: json, members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard kind == .array else { throw misfit("not an array") }
    let elements = JSONScanner.elements(of: json, in: range, upTo: .max) ?? []
    return Elements(json: json, elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension StrictParameters: SingleValueDecodingContainer {
  func decodeNil() -> Bool { kind == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard kind == .boolean else { throw misfit("neither true nor false") }
    return json[range.lowerBound] == UInt8(ascii: "t")
  }

  func decode(_ type: String.Type) throws -> String {
    guard kind == .string else { throw misfit("not a string") }
    return JSONScanner.string(in: json, at: range)
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard kind == .number, let number = JSONNumber.double(json[range]) else {
      throw misfit("not a number that a double holds")
    }
    return number
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

  private func integer<Value: FixedWidthInteger>() throws -> Value {
    guard kind == .number, let integer = JSONNumber.integer(json[range]),
      ParameterLimit.wholeNumbers.contains(integer), let value = Value(exactly: integer)
    else { throw misfit("not a whole number of \(Value.self) within ±2^53") }
    return value
  }

  private func misfit(_ reason: String) -> DecodingError {
    DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
  }
}

private struct FieldName: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

/// The members of an object.
private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let json: [UInt8]
  let members: [JSONScanner.Member]
  /// Where each is, if they are many.
  let places: [String: Int]?
  let codingPath: [any CodingKey]

  private static var mostFew: Int { 16 }

  init(json: [UInt8], members: [JSONScanner.Member], codingPath: [any CodingKey]) {
    self.json = json
    self.members = members
    self.codingPath = codingPath
    guard members.count > Self.mostFew else {
      places = nil
      return
    }
    // Names of other bytes can be the same text.
    places = Dictionary(members.indices.map { (members[$0].name, $0) }) { first, _ in first }
  }

  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { member(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).decode(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).decode(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).decode(type) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: try value(key))
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<NestedKey>
  { try value(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try decoder(named: FieldName(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

  private func member(_ key: some CodingKey) -> JSONScanner.Member? {
    let name = key.stringValue
    if let places { return places[name].map { members[$0] } }
    return members.first { $0.name == name }
  }
  private func value(_ key: Key) throws -> StrictParameters { try decoder(named: key) }
  private func decoder(named key: some CodingKey) throws -> StrictParameters {
    guard let member = member(key) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
    }
    return StrictParameters(
      json: json, kind: member.kind, range: member.value, codingPath: codingPath + [key])
  }
}

/// The elements of an array.
private struct Elements: UnkeyedDecodingContainer {
  let json: [UInt8]
  let elements: [JSONScanner.Member]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  init(json: [UInt8], elements: [JSONScanner.Member], codingPath: [any CodingKey]) {
    self.json = json
    self.elements = elements
    self.codingPath = codingPath
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].kind == .null else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: try next()) }

  mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws
    -> KeyedDecodingContainer<NestedKey>
  { try next().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> StrictParameters {
    let path = codingPath + [FieldName(intValue: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self, .init(codingPath: path, debugDescription: "the list has no more elements"))
    }
    defer { currentIndex += 1 }
    let element = elements[currentIndex]
    return StrictParameters(json: json, kind: element.kind, range: element.value, codingPath: path)
  }
}
