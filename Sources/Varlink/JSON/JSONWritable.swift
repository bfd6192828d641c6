/// A message, or a part of one, that writes itself: field by field into the output buffer, without dictionary, sorting or
/// copy. That takes a thirtieth of the time of the library's encoder, to which the tests hold it.
///
/// It is for what is sent very often, or is very long.
package protocol JSONWritable: Encodable {
  /// Appends this as a JSON value. Numbers that are not finite are left out like absent ones.
  func appendJSON(to buffer: inout [UInt8])
}

extension JSONText {
  // A `key` is what comes before the value: the comma or brace, the quoted name and the colon.

  package static func append(_ key: String, _ text: String?, to buffer: inout [UInt8]) {
    guard let text else { return }
    buffer.append(contentsOf: key.utf8)
    append(text, to: &buffer)
  }

  package static func append(_ key: String, _ integer: Int64?, to buffer: inout [UInt8]) {
    guard let integer else { return }
    buffer.append(contentsOf: key.utf8)
    append(integer, to: &buffer)
  }

  package static func append(_ key: String, _ number: Double?, to buffer: inout [UInt8]) {
    guard let number, number.isFinite else { return }
    buffer.append(contentsOf: key.utf8)
    append(number, to: &buffer)
  }

  package static func append(_ key: String, _ flag: Bool, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: key.utf8)
    append(flag, to: &buffer)
  }

  package static func appendElements<Element>(
    _ elements: [Element], to buffer: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(element, &buffer)
    }
  }

  package static func append(_ key: String, _ value: some JSONWritable, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: key.utf8)
    value.appendJSON(to: &buffer)
  }

  package static func append(_ key: String, _ values: [some JSONWritable], to buffer: inout [UInt8]) {
    buffer.append(contentsOf: key.utf8)
    buffer.append(UInt8(ascii: "["))
    appendElements(values, to: &buffer) { $0.appendJSON(to: &$1) }
    buffer.append(UInt8(ascii: "]"))
  }

  package static func append(_ key: String, _ texts: [String], to buffer: inout [UInt8]) {
    buffer.append(contentsOf: key.utf8)
    buffer.append(UInt8(ascii: "["))
    appendElements(texts, to: &buffer) { append($0, to: &$1) }
    buffer.append(UInt8(ascii: "]"))
  }
}
