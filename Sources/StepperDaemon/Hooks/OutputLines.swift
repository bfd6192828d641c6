import StepperText
import Varlink

/// The output of a command in lines for the log: at most ``limit`` bytes each, without control characters that a
/// terminal would interpret.
struct OutputLines: Hashable {
  static let limit = 500
  /// Lines beyond the limit are only counted: the cost of a program that writes continuously is bounded.
  static let linesAtOnce = 20
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// The beginning of an incomplete line; one byte more than the limit marks it as too long.
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

  /// The last line, if it was incomplete, and the number of lines that were left out.
  mutating func finish() -> [String] {
    defer { leftOut = 0 }
    return takeLine() + (leftOut > 0 ? ["(\(leftOut) more lines)"] : [])
  }

  private mutating func takeLine() -> [String] {
    defer { partial = [] }
    var line = partial.prefix(Self.limit)
    let isCut = partial.count > Self.limit
    if !isCut, line.last == Self.carriageReturn { line.removeLast() }
    let text = OutsideText.shown(line).onOneLine() + (isCut ? "…" : "")
    return text.isEmpty ? [] : [text]
  }

  private mutating func extend(with bytes: ArraySlice<UInt8>) {
    partial += bytes.prefix(Self.limit + 1 - partial.count)
  }
}
