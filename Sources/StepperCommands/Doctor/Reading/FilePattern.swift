/// A pattern of fnmatch(3) without flags: `*`, `?`, `[a-z]`, `[!a]`, and `\` before a character that means itself.
///
/// The time is at most proportional to the product of the lengths of pattern and text.
struct FilePattern {
  private enum Part {
    case anyText
    case any
    case byte(UInt8)
    case set([ClosedRange<UInt8>], isExcluded: Bool)

    func matches(_ byte: UInt8) -> Bool {
      switch self {
      case .anyText, .any: true
      case .byte(let own): own == byte
      case .set(let ranges, let isExcluded): ranges.contains { $0 ~= byte } != isExcluded
      }
    }
  }

  private let parts: [Part]

  init(_ pattern: String) {
    var parts: [Part] = []
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): parts.append(.anyText)
      case UInt8(ascii: "?"): parts.append(.any)
      case UInt8(ascii: "\\"): parts.append(.byte(rest.popFirst() ?? byte))
      case UInt8(ascii: "["): parts.append(Self.set(&rest) ?? .byte(byte))
      default: parts.append(.byte(byte))
      }
    }
    self.parts = parts
  }

  /// What is in brackets; nil without the closing one.
  private static func set(_ rest: inout ArraySlice<UInt8>) -> Part? {
    var inside = rest
    let isExcluded = inside.first == UInt8(ascii: "!") || inside.first == UInt8(ascii: "^")
    if isExcluded { inside.removeFirst() }
    var ranges: [ClosedRange<UInt8>] = []
    var isFirst = true
    while let low = inside.popFirst() {
      if low == UInt8(ascii: "]"), !isFirst {
        rest = inside
        return .set(ranges, isExcluded: isExcluded)
      }
      isFirst = false
      let isRange =
        inside.first == UInt8(ascii: "-") && inside.dropFirst().first.map { $0 != UInt8(ascii: "]") } ?? false
      guard isRange, let high = inside.dropFirst().first else {
        ranges.append(low...low)
        continue
      }
      inside = inside.dropFirst(2)
      if low <= high { ranges.append(low...high) }
    }
    return nil
  }

  func matches(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var (part, place) = (0, 0)
    /// The last `*`, and the end of the text that it matches so far.
    var star: (part: Int, place: Int)?
    while place < bytes.count {
      if part < parts.count, case .anyText = parts[part] {
        star = (part, place)
        part += 1
      } else if part < parts.count, parts[part].matches(bytes[place]) {
        (part, place) = (part + 1, place + 1)
      } else if let last = star {
        star = (last.part, last.place + 1)
        (part, place) = (last.part + 1, last.place + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { if case .anyText = $0 { true } else { false } }
  }
}
