// The members of an object, as generated types write them: each with a comma before its name. At the end, the first
// comma becomes the opening brace. A `key` is the comma, the name in quotes and the colon.

extension JSONText {
  /// Appends a text as a member; appends nothing if it is nil.
  public static func append(_ key: StaticString, _ text: String?, to buffer: inout [UInt8]) {
    guard let text else { return }
    append(literal: key, to: &buffer)
    append(text, to: &buffer)
  }

  /// Appends an integer as a member; appends nothing if it is nil.
  public static func append(_ key: StaticString, _ integer: Int64?, to buffer: inout [UInt8]) {
    guard let integer else { return }
    append(literal: key, to: &buffer)
    append(integer, to: &buffer)
  }

  /// Appends a number as a member; appends nothing if it is nil. Throws if the number is not finite.
  public static func append(
    _ key: StaticString, _ number: Double?, to buffer: inout [UInt8]
  ) throws(VarlinkMessageError) {
    guard let number else { return }
    append(literal: key, to: &buffer)
    try append(number, to: &buffer)
  }

  /// Appends a boolean as a member; appends nothing if it is nil.
  public static func append(_ key: StaticString, _ flag: Bool?, to buffer: inout [UInt8]) {
    guard let flag else { return }
    append(literal: key, to: &buffer)
    append(flag, to: &buffer)
  }

  /// Appends a value of any type as a member; appends nothing if it is nil. Throws if a number in it is not finite.
  public static func append<Value: JSONWritable>(
    _ key: StaticString, _ value: Value?, to buffer: inout [UInt8]
  ) throws(VarlinkMessageError) {
    guard let value else { return }
    append(literal: key, to: &buffer)
    try value.appendJSON(to: &buffer)
  }

  /// Makes an object of the members that were appended since `buffer` had `start` bytes.
  public static func endObject(from start: Int, in buffer: inout [UInt8]) {
    if start < buffer.count {
      buffer[start] = UInt8(ascii: "{")
    } else {
      buffer.append(UInt8(ascii: "{"))
    }
    buffer.append(UInt8(ascii: "}"))
  }
}
