import Varlink

/// A JSON value, to compare what was sent with what should have been, whatever the order and the notation of
/// numbers. A member that is null is taken as absent, as Varlink does.
enum AnyJSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([AnyJSON])
  case object([String: AnyJSON])
}

extension AnyJSON: JSONReadable {
  init(json value: JSONValue) throws(JSONMisfit) {
    // Each attempt that fails says only that it is another kind of value.
    if let boolean = try? Bool(json: value) {
      self = .boolean(boolean)
    } else if let number = try? Double(json: value) {
      self = .number(number)
    } else if let string = try? String(json: value) {
      self = .string(string)
    } else if let array = try? [AnyJSON?](json: value) {
      self = .array(array.map { $0 ?? .null })
    } else {
      self = .object(try [String: AnyJSON?](json: value).compactMapValues(\.self))
    }
  }
}

extension AnyJSON: JSONWritable {
  func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    switch self {
    case .null: buffer += Array("null".utf8)
    case .boolean(let value): value.appendJSON(to: &buffer)
    // Whole numbers are integers: not everybody takes 1.0 for one.
    case .number(let value):
      if let integer = Int64(exactly: value) {
        integer.appendJSON(to: &buffer)
      } else {
        try value.appendJSON(to: &buffer)
      }
    case .string(let value): value.appendJSON(to: &buffer)
    case .array(let value): try value.appendJSON(to: &buffer)
    case .object(let value): try value.appendJSON(to: &buffer)
    }
  }
}
