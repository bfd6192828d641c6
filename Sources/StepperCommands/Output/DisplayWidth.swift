extension String {
  /// The width of this text in columns of a terminal; it must be one line.
  var displayWidth: Int {
    if utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// This text without the spaces at its end.
  var withoutTrailingSpace: String {
    String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
  }

  /// This text without the spaces at its beginning and its end.
  var trimmed: String { String(drop { $0 == " " }).withoutTrailingSpace }

  /// This text, followed by spaces up to a width of `width` columns.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - displayWidth)) }
}

extension String {
  /// This text in lines of at most `width` columns, divided at spaces. A longer word gets a line of its own. The result
  /// has at least one line.
  func wrapped(to width: Int) -> [String] {
    var lines = [""]
    for word in split(separator: " ") {
      let last = lines[lines.count - 1]
      let longer = last.isEmpty ? String(word) : "\(last) \(word)"
      if last.isEmpty || longer.displayWidth <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension BinaryInteger {
  /// `3 devices`, `1 device`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(magnitude == 1 ? "" : "s")" }
}

extension Character {
  /// 2 for emoji, ideographs and other wide characters of East Asian Width (UAX #11), 0 for combining ones, else 1.
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{fe0f}")
    return isEmoji || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
    0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18d08,
    0x1aff0...0x1b2fb, 0x20000...0x3fffd,
  ]
}
