import StepperCore
import StepperWire

/// The state file of version 1, which is only read: `{"values" : {"volume" : "42"}, "version" : 1}`, without checksums.
nonisolated enum FormerValueFile {
  private struct Former: Decodable {
    var version: Int
    var values: [String: String]
  }

  static func decode(_ bytes: [UInt8]) -> ValueFile.Contents {
    let values = pairs(in: bytes)
    do throws(VarlinkMessageError) {
      let former = try VarlinkParameters(json: bytes).decode(Former.self)
      let isWhole = former.version == 1 && former.values.count == values.count
      return ValueFile.Contents(values: values, damage: isWhole ? nil : "an entry of it cannot be read")
    } catch {
      return ValueFile.Contents(values: values, damage: "not all of it can be read")
    }
  }

  /// Whether a file without a version may be one whose end is missing.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    bytes.first == UInt8(ascii: "{") && String(decoding: bytes, as: UTF8.self).contains("\"values\"")
  }

  /// Everything that looks like an entry, whatever is around it.
  private static func pairs(in bytes: [UInt8]) -> [(name: String, value: RememberedValue)] {
    var found: [String: String] = [:]
    var name: String?
    // Names and values have nothing that would be escaped: every second piece is between quotes.
    let pieces = bytes.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      let text = String(decoding: piece, as: UTF8.self)
      if index.isMultiple(of: 2) {
        if text.filter({ !$0.isWhitespace }) != ":" { name = nil }
      } else if let key = name {
        if ValueFile.isName(key), text.isEmpty || FixedPoint(text) != nil { found[key] = text }
        name = nil
      } else {
        name = text
      }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, .former($0.value)) }
  }
}
