/// Decodes JSON that the scanner found valid. It reads the members where the scanner found them. What does not fit is a
/// `DecodingError` whose coding path begins with the outermost member.
struct JSONDecoding: Decoder {
  fileprivate let value: JSONValue
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes the parameters of a message.
  init(_ value: JSONValue) { (self.value, codingPath) = (value, []) }

  /// Of a part of the value of `whole`.
  fileprivate init(_ part: JSONScanner.Member, of whole: JSONDecoding, at key: any CodingKey) {
    value = whole.value.value(part)
    codingPath = whole.codingPath + [key]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard value.kind == .object else { throw misfit("not an object") }
    var members: [(name: String, member: JSONScanner.Member)] = []
    for member in value.members {
      // One that is no text is no member that a type has.
      let name = member.name(in: value.bytes)
      if value.rules == .strict, name.flatMap(Key.init(stringValue:)) == nil {
        let shown = JSONKey(stringValue: member.shownName(in: value.bytes))
        throw DecodingError.dataCorrupted(
          .init(codingPath: codingPath + [shown], debugDescription: "unknown field"))
      }
      if let name { members.append((name, member)) }
    }
    return KeyedDecodingContainer(Members<Key>(whole: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard value.kind == .array else { throw misfit("not an array") }
    return Elements(of: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension JSONDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.kind == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let boolean = value.boolean else { throw misfit("neither true nor false") }
    return boolean
  }

  func decode(_ type: String.Type) throws -> String {
    guard let string = value.string else { throw misfit("not a string of \(OutsideText.requirement)") }
    return string
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let double = value.double else { throw misfit("not a number that a double holds") }
    return double
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode<Value: Decodable & FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    guard let integer = value.integer(type) else {
      throw misfit("not a whole number of \(Value.self)\(value.rules == .strict ? " within ±2^53" : "")")
    }
    return integer
  }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

  private func misfit(_ reason: String) -> DecodingError {
    DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
  }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let whole: JSONDecoding
  private let members: [(name: String, member: JSONScanner.Member)]
  /// The index of each name, if there are many.
  private let places: [String: Int]?

  private static var mostFew: Int { 16 }

  init(whole: JSONDecoding, members: [(name: String, member: JSONScanner.Member)]) {
    self.whole = whole
    self.members = members
    // Names of other bytes can be the same text.
    places =
      members.count <= Self.mostFew
      ? nil : Dictionary(members.indices.map { (members[$0].name, $0) }) { first, _ in first }
  }

  var codingPath: [any CodingKey] { whole.codingPath }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { member(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
  func decode<Value: Decodable & FixedWidthInteger>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(key).decode(type)
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: try value(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try value(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try value(JSONKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

  private func member(_ key: some CodingKey) -> JSONScanner.Member? {
    let name = key.stringValue
    if let places { return places[name].map { members[$0].member } }
    return members.first { $0.name == name }?.member
  }

  private func value(_ key: some CodingKey) throws -> JSONDecoding {
    guard let member = member(key) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
    }
    return JSONDecoding(member, of: whole, at: key)
  }
}

/// The elements of an array. One is looked for when it is wanted, so that a long list of what does not fit takes no memory.
private struct Elements: UnkeyedDecodingContainer {
  private let whole: JSONDecoding
  private var element: JSONScanner.Member?
  private(set) var currentIndex = 0

  init(of whole: JSONDecoding) {
    self.whole = whole
    element = JSONScanner.element(of: whole.value.bytes, at: whole.value.range.lowerBound + 1)
  }

  var codingPath: [any CodingKey] { whole.codingPath }
  var count: Int? { nil }
  var isAtEnd: Bool { element == nil }

  mutating func decodeNil() throws -> Bool {
    guard element?.kind == .null else { return false }
    _ = try next()
    return true
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: try next()) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> JSONDecoding {
    let key = JSONKey(intValue: currentIndex)
    guard let found = element else {
      throw DecodingError.valueNotFound(
        Any.self, .init(codingPath: codingPath + [key], debugDescription: "the list has no more elements"))
    }
    element = JSONScanner.element(of: whole.value.bytes, at: found.value.upperBound)
    currentIndex += 1
    return JSONDecoding(found, of: whole, at: key)
  }
}
