internal import Varlink

/// JSON texts that are put together from others.
enum JSON {
  /// What `append` appends; `null` if that fails, which only a number that is not finite can bring about: the daemon
  /// sends none.
  static func text(_ append: (inout [UInt8]) throws(VarlinkMessageError) -> Void) -> [UInt8] {
    var buffer: [UInt8] = []
    do throws(VarlinkMessageError) {
      try append(&buffer)
    } catch {
      return Array("null".utf8)
    }
    return buffer
  }

  /// An object of the members that `append` appends.
  static func object(_ append: (inout [UInt8]) throws(VarlinkMessageError) -> Void) -> [UInt8] {
    text { buffer throws(VarlinkMessageError) in
      try append(&buffer)
      JSONText.endObject(from: 0, in: &buffer)
    }
  }

  static func text(_ value: some JSONWritable) -> [UInt8] {
    text { buffer throws(VarlinkMessageError) in try value.appendJSON(to: &buffer) }
  }

  /// Appends an array of values that are JSON already.
  static func append(_ values: some Sequence<[UInt8]>, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      isFirst = false
      buffer += value
    }
    buffer.append(UInt8(ascii: "]"))
  }
}
