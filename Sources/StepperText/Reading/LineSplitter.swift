/// Divides untrusted bytes, which arrive in pieces, into lines. A line ends with a line feed or a carriage return;
/// empty lines are left out. If a line is too long, only its beginning is returned and the rest is skipped.
package struct LineSplitter: Sendable {
  private let mostBytes: Int
  private var line: [UInt8] = []
  private var isSkipping = false

  package init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// The lines that are completed by `bytes`, without their line ends. A line that is too long has one byte more than
  /// `mostBytes`.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        if !isSkipping, !line.isEmpty { lines.append(line) }
        (line, isSkipping) = ([], false)
      } else if !isSkipping {
        line.append(byte)
        guard line.count > mostBytes else { continue }
        lines.append(line)
        isSkipping = true
      }
    }
    return lines
  }
}
