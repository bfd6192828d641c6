/// The format of the state file: JSON with independent lines.
///
///     {"version":2,"values":{
///     "volume":{"number":"42","crc32c":"d95e703c"}
///     },"entries":1,"crc32c":"15f2c6f6"}
///
/// The checksum of an entry is that of its line before `,"crc32c"`: damage loses the line that it is in, and never
/// yields a wrong value. The last checksum is that of everything before it and shows whether the file is complete.
package nonisolated enum ValueFile {
  static let version = 2
  /// Maximum length in bytes, for writing and for reading.
  static let largest = 1 << 20

  static let header = "{\"version\":\(version),\"values\":{"
  static let mark = ",\"crc32c\":\""

  /// The content of a file.
  package struct Contents {
    /// The values with correct checksums, last configured first.
    package var values: [(name: String, value: SavedValue)] = []
    /// The reason if the content is incomplete.
    package var damage: String?
  }

  // MARK: Writing

  package static func encode(_ values: SavedValues) -> [UInt8] {
    let all = values.all
    var bytes = Array("\(header)\n".utf8)
    for (index, entry) in all.enumerated() {
      let line = line(entry.name, entry.value)
      bytes += line
      bytes += Array("\(mark)\(Checksum.text(of: line))\"}\(index < all.count - 1 ? "," : "")\n".utf8)
    }
    bytes += Array("},\"entries\":\(all.count)".utf8)
    bytes += Array("\(mark)\(Checksum.text(of: bytes))\"}\n".utf8)
    return bytes
  }

  /// An entry up to its checksum.
  private static func line(_ name: String, _ value: SavedValue) -> [UInt8] {
    let start = Array("\"\(name)\":{\"".utf8)
    return switch value {
    case .unset: start + Array("unset\":true".utf8)
    case .number(let number): start + Array("number\":\"\(number)\"".utf8)
    case .word(let word): start + Array("word\":\"".utf8) + escaped(word) + [UInt8(ascii: "\"")]
    }
  }

  /// Names of choices have no control characters.
  private static func escaped(_ text: String) -> [UInt8] {
    text.utf8.flatMap { byte in
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
    }
  }
}
