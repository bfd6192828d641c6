internal import Varlink

enum JSON {
  /// The text of `value`, or `null` if a number in it is not finite, which the daemon never sends.
  static func text(_ value: some JSONWritable) -> [UInt8] {
    var buffer: [UInt8] = []
    do throws(VarlinkMessageError) {
      try value.appendJSON(to: &buffer)
    } catch {
      return Array("null".utf8)
    }
    return buffer
  }

  /// An object of the members that have a value; those that are nil are left out.
  static func object(_ members: JSONObject) -> [UInt8] { text(members) }
}

/// A value that is JSON already.
struct JSONFragment: JSONWritable {
  let text: [UInt8]

  init(_ text: [UInt8]) { self.text = text }

  func appendJSON(to buffer: inout [UInt8]) { buffer += text }
}
