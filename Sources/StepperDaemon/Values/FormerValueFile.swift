import StepperCore
import Varlink

/// The state file of version 1, which is only read: `{"values" : {"volume" : "42"}, "version" : 1}`, without checksums.
nonisolated enum FormerValueFile {
  private struct Former: JSONReadable {
    let version: Int
    let values: [String: String]

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      version = try members.value("version")
      values = try members.value("values")
    }
  }

  static func decode(_ bytes: [UInt8]) -> ValueFile.Contents {
    let values = pairs(in: bytes)
    do throws(VarlinkMessageError) {
      let former = try VarlinkParameters(json: bytes).decode(Former.self)
      let isComplete = former.version == 1 && former.values.count == values.count
      return ValueFile.Contents(values: values, damage: isComplete ? nil : "an entry of it cannot be read")
    } catch {
      return ValueFile.Contents(values: values, damage: "not all of it can be read")
    }
  }

  /// Whether a file without a version may be an incomplete file of this version, whose version was at its end.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    let key = bytes.dropFirst().drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return bytes.first == UInt8(ascii: "{") && key.starts(with: "\"values\"".utf8)
  }

  /// Whether a line ends with a checksum of version 2.
  private static func hasChecksum(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      let line = line.last == UInt8(ascii: ",") ? line.dropLast() : line
      let end = line.suffix(ValueFile.mark.utf8.count + 8 + 2)
      return end.starts(with: ValueFile.mark.utf8) && end.suffix(2).elementsEqual("\"}".utf8)
    }
  }

  /// Every entry that can be recognized. Version 2 has none of this form, also if its version is damaged: its entries
  /// are objects, and their lines have checksums.
  private static func pairs(in bytes: [UInt8]) -> [(name: String, value: SavedValue)] {
    if hasChecksum(bytes) { return [] }
    var found: [String: String] = [:]
    var name: String?
    var isNested = false
    // Names and values contain no escapes: every second piece is a quoted string, except for the last one, which has
    // no closing quote.
    let pieces = bytes.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false).dropLast()
    for (index, piece) in pieces.enumerated() {
      let text = OutsideText.shown(piece)
      if index.isMultiple(of: 2) {
        if text.contains("}") { isNested = false }
        if text.contains("{"), let name, name != "values" { isNested = true }
        if text.filter({ !$0.isWhitespace }) != ":" { name = nil }
      } else if let key = name {
        if !isNested, ValueFile.isName(key), text.isEmpty || FixedPoint(text) != nil { found[key] = text }
        name = nil
      } else {
        name = text
      }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, .former($0.value)) }
  }
}
