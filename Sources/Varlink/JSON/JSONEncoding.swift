extension JSONText {
  /// Appends `value` as its `encode(to:)` says, the members of objects sorted by name.
  ///
  /// Throws for a number that is not finite, and what `value` throws.
  package static func appendSorted(_ value: some Encodable, to buffer: inout [UInt8]) throws {
    let node = JSONNode()
    try value.encode(to: NodeEncoder(node: node, codingPath: []))
    node.append(to: &buffer)
  }
}

/// A value that is being encoded: a text, or parts that are encoded into nodes of their own.
private final class JSONNode {
  private enum Kind { case text, array, object }

  /// A value that encodes nothing is an empty object.
  private var kind = Kind.object
  /// A value that has no parts, as JSON text.
  private var text: [UInt8] = []
  private var elements: [JSONNode] = []
  private var members: [String: JSONNode] = [:]

  func setText(_ write: (inout [UInt8]) -> Void) {
    kind = .text
    text = []
    write(&text)
  }

  func beginArray() { kind = .array }
  func beginObject() { kind = .object }

  var elementCount: Int { elements.count }

  func appendElement() -> JSONNode {
    let element = JSONNode()
    elements.append(element)
    return element
  }

  /// The member `name`, which is new or replaces the one before.
  func member(_ name: String) -> JSONNode {
    let member = JSONNode()
    members[name] = member
    return member
  }

  func append(to buffer: inout [UInt8]) {
    switch kind {
    case .text:
      buffer += text
    case .array:
      buffer.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        element.append(to: &buffer)
      }
      buffer.append(UInt8(ascii: "]"))
    case .object:
      let start = buffer.count
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        buffer.append(UInt8(ascii: ","))
        JSONText.append(name, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        member.append(to: &buffer)
      }
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}

/// Encodes one value into its node.
private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginObject()
    return KeyedEncodingContainer(Members(node: node, codingPath: codingPath))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginArray()
    return Elements(node: node, codingPath: codingPath)
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { node.setText { $0 += Array("null".utf8) } }
  func encode(_ value: Bool) { node.setText { JSONText.append(value, to: &$0) } }
  func encode(_ value: String) { node.setText { JSONText.append(value, to: &$0) } }
  func encode(_ value: Float) throws { try encode(value, of: value.isFinite) }
  func encode(_ value: Double) throws { try encode(value, of: value.isFinite) }
  func encode<Value: Encodable & FixedWidthInteger>(_ value: Value) {
    node.setText { $0 += Array(String(value).utf8) }
  }
  func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }

  /// Whole numbers are written without a fraction.
  private func encode(_ number: some CustomStringConvertible & Encodable, of isFinite: Bool) throws {
    guard isFinite else {
      let context = EncodingError.Context(codingPath: codingPath, debugDescription: "not a finite number")
      throw EncodingError.invalidValue(number, context)
    }
    let text = number.description
    node.setText { $0 += Array((text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8) }
  }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  let codingPath: [any CodingKey]

  private func encoder(_ key: some CodingKey) -> NodeEncoder {
    NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { encoder(key).encodeNil() }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try value.encode(to: encoder(key)) }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { encoder(JSONKey(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// The elements of an array.
private struct Elements: UnkeyedEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey]

  var count: Int { node.elementCount }

  private func encoder() -> NodeEncoder {
    NodeEncoder(node: node.appendElement(), codingPath: codingPath + [JSONKey(intValue: count)])
  }

  func encodeNil() { encoder().encodeNil() }
  func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: encoder()) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder() }
}
