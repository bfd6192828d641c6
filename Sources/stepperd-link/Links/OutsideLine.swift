internal import Varlink

/// The lines of a coprocess, from bytes. Memory is bounded by the longest line that means something.
struct CoprocessLines {
  /// No line that means something is longer.
  static let mostBytes = 256

  private var line: [UInt8] = []
  private var isTooLong = false

  /// A line: its text, or why it means nothing.
  enum Line: Hashable {
    case value(Double)
    case meaningless(String)
  }

  /// The lines that end in `bytes`. Empty ones and those that begin with `#` are left out.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if let line = end() { lines.append(line) }
      } else if line.count < Self.mostBytes {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return lines
  }

  private mutating func end() -> Line? {
    defer { (line, isTooLong) = ([], false) }
    if isTooLong { return .meaningless("a line of more than \(Self.mostBytes) bytes") }
    guard let text = OutsideText.text(line) else {
      return .meaningless("a line that is not \(OutsideText.requirement)")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    if first == "value", words.count == 2, let value = Self.value(words[1]) { return .value(value) }
    let shown = String(text.unicodeScalars.prefix(60).filter { $0.properties.generalCategory != .control })
    return .meaningless("the line \"\(shown)\", which is not \"value NUMBER\"")
  }

  private static func value(_ text: Substring) -> Double? {
    switch text {
    case "on": 1
    case "off": 0
    default: Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// The line for `value`, in the C locale, without an exponent where that is possible.
  static func line(_ value: Double) -> [UInt8] {
    let whole = value.rounded()
    let text = whole == value && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
    return Array("value \(text)\n".utf8)
  }
}
