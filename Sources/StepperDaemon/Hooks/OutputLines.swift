import StepperCore
import StepperText

/// What a command writes, in lines for the log: none longer than ``limit`` bytes, and nothing in them that a terminal
/// would obey.
struct OutputLines: Hashable {
  static let limit = 500
  /// The rest of what comes at once is only counted: who writes `y` a million times must not cost us as much.
  static let linesAtOnce = 20
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// The beginning of a line whose end has not come; one byte more than the limit says that it is too long.
  private var partial: [UInt8] = []

  private var leftOut = 0

  /// The lines that `bytes` complete. Empty ones are left out.
  mutating func append(_ bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    var rest = bytes[...]
    while lines.count < Self.linesAtOnce, let end = rest.firstIndex(of: Self.lineFeed) {
      extend(with: rest[..<end])
      lines += takeLine()
      rest = rest[(end + 1)...]
    }
    if let last = rest.lastIndex(of: Self.lineFeed) {
      leftOut += rest.count { $0 == Self.lineFeed }
      partial = []
      rest = rest[(last + 1)...]
    }
    extend(with: rest)
    return lines
  }

  /// The last line, if it was not completed, and how many were left out.
  mutating func finish() -> [String] {
    defer { leftOut = 0 }
    return takeLine() + (leftOut > 0 ? ["(\(leftOut) more lines)"] : [])
  }

  private mutating func takeLine() -> [String] {
    defer { partial = [] }
    var line = partial.prefix(Self.limit)
    let isCut = partial.count > Self.limit
    if !isCut, line.last == Self.carriageReturn { line.removeLast() }
    let text = String(decoding: line, as: UTF8.self).onOneLine() + (isCut ? "…" : "")
    return text.isEmpty ? [] : [text]
  }

  private mutating func extend(with bytes: ArraySlice<UInt8>) {
    partial += bytes.prefix(Self.limit + 1 - partial.count)
  }
}
