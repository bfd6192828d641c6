import StepperCore
import Varlink

/// The format of the state file: JSON with independent lines.
///
///     {"version":2,"values":{
///     "volume":{"number":"42","crc32c":"d95e703c"}
///     },"entries":1,"crc32c":"15f2c6f6"}
///
/// The checksum of an entry covers its line up to `,"crc32c"`. Damage therefore loses the line that it is in, and never
/// yields a wrong value. The last checksum covers everything before it and shows whether the file is complete.
package nonisolated enum ValueFile {
  static let version = 2
  /// Maximum length in bytes, for writing and for reading.
  static let largest = 1 << 20

  static let header = "{\"version\":\(version),\"values\":{"
  static let mark = ",\"crc32c\":\""

  /// The content of a file.
  package struct Contents {
    /// The values with correct checksums. Controls that were configured last come first.
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

// MARK: Reading

nonisolated extension ValueFile {
  /// Reads as much as possible of a file with any content.
  package static func decode(_ bytes: [UInt8]) -> Contents {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let values = lines.compactMap(entry)
    switch statedVersion(in: bytes) {
    case version:
      return Contents(values: values, damage: isComplete(bytes, values.count) ? nil : damage(in: lines))
    case let other? where other > version:
      return Contents(values: values, damage: "it was written by a newer stepperd (version \(other))")
    default: return Contents(values: values, damage: "it is not a file of values")
    }
  }

  private static func damage(in lines: [ArraySlice<UInt8>]) -> String {
    let bad = lines.indices.dropFirst().first { entry(lines[$0]) == nil }
    return bad.map { "line \($0 + 1) cannot be read" } ?? "its end is missing"
  }

  /// The number after the first `"version"`.
  private static func statedVersion(in bytes: [UInt8]) -> Int? {
    let key = Array("\"version\"".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: key) }) else { return nil }
    let rest = bytes[(start + key.count)...].drop {
      [0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ":")].contains($0)
    }
    return Int(OutsideText.shown(rest.prefix { (0x30...0x39).contains($0) }.prefix(9)))
  }

  private static func isComplete(_ bytes: [UInt8], _ count: Int) -> Bool {
    // The marker, eight digits, and the end.
    let length = mark.utf8.count + 8 + 3
    let body = bytes.dropLast(length)
    return bytes.starts(with: "\(header)\n".utf8) && bytes.last == UInt8(ascii: "\n")
      && body.ends(with: "\n},\"entries\":\(count)")
      && bytes.dropFirst(body.count).elementsEqual("\(mark)\(Checksum.text(of: body))\"}\n".utf8)
  }

  /// The entry of a line, if its checksum is correct.
  private static func entry(_ line: ArraySlice<UInt8>) -> (name: String, value: SavedValue)? {
    let line = line.last == UInt8(ascii: ",") ? line.dropLast() : line
    // The marker, eight digits, and the end.
    var rest = line.dropLast(mark.utf8.count + 8 + 2)
    guard line.dropFirst(rest.count).elementsEqual("\(mark)\(Checksum.text(of: rest))\"}".utf8),
      rest.take("\""), let name = rest.takeText(), isName(name), rest.take(":{\""),
      let kind = rest.takeText()
    else { return nil }
    if kind == "unset" { return rest.take(":true") && rest.isEmpty ? (name, .unset) : nil }
    guard rest.take(":\""), let text = rest.takeText(), rest.isEmpty else { return nil }
    switch kind {
    case "number": return FixedPoint(text).map { (name, .number($0)) }
    case "word": return (name, .word(text))
    default: return nil
    }
  }

  /// Whether a control may have this name.
  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.isControlNameByte)
  }
}

nonisolated extension ArraySlice<UInt8> {
  fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }

  /// Removes the prefix `text`; false if it is absent.
  fileprivate mutating func take(_ text: String) -> Bool {
    guard starts(with: text.utf8) else { return false }
    removeFirst(text.utf8.count)
    return true
  }

  /// Removes a string and its closing quote; nil if it is missing.
  fileprivate mutating func takeText() -> String? {
    var text: [UInt8] = []
    while let byte = popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return OutsideText.text(text)
      case UInt8(ascii: "\\"):
        guard let escaped = popFirst() else { return nil }
        text.append(escaped)
      default: text.append(byte)
      }
    }
    return nil
  }
}
