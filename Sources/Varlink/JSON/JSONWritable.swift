/// A value that writes itself as JSON: member by member into the output, without a dictionary, sorting or copying.
///
/// The types that `varlink-generate` makes conform to this protocol.
public protocol JSONWritable {
  /// Appends this as one JSON value. Throws if a number in it is not finite, which JSON cannot represent; the bytes
  /// appended so far are then useless.
  func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError)
}

extension JSONWritable where Self: RawRepresentable<String> {
  /// Appends the word for this value as it is on the wire.
  public func appendJSON(to buffer: inout [UInt8]) { JSONText.append(rawValue, to: &buffer) }
}

extension String: JSONWritable {
  /// Appends the text between quotes.
  public func appendJSON(to buffer: inout [UInt8]) { JSONText.append(self, to: &buffer) }
}

extension Bool: JSONWritable {
  /// Appends `true` or `false`.
  public func appendJSON(to buffer: inout [UInt8]) { JSONText.append(self, to: &buffer) }
}

extension Int64: JSONWritable {
  /// Appends the number in decimal.
  public func appendJSON(to buffer: inout [UInt8]) { JSONText.append(self, to: &buffer) }
}

extension Int: JSONWritable {
  /// Appends the number in decimal.
  public func appendJSON(to buffer: inout [UInt8]) { Int64(self).appendJSON(to: &buffer) }
}

extension Double: JSONWritable {
  /// Appends the shortest decimal that reads back as the number. Throws if it is not finite.
  public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    try JSONText.append(self, to: &buffer)
  }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// Appends the value or `null`.
  public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    guard let value = self else { return buffer.append(contentsOf: "null".utf8) }
    try value.appendJSON(to: &buffer)
  }
}

extension JSONWritable where Self: Sequence, Element: JSONWritable {
  /// Appends the elements between brackets.
  public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    buffer.append(UInt8(ascii: "["))
    var isFirst = true
    for element in self {
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      isFirst = false
      try element.appendJSON(to: &buffer)
    }
    buffer.append(UInt8(ascii: "]"))
  }
}

extension Array: JSONWritable where Element: JSONWritable {}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
  /// Appends an object, its members sorted by name.
  public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    try JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).appendJSON(to: &buffer)
  }
}
