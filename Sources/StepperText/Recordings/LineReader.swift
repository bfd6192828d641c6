internal import Varlink

/// Divides bytes, which may arrive in pieces, into numbered lines. A line ends with a line feed, which may follow a
/// carriage return.
package struct LineReader {
  private var rest: [UInt8] = []
  /// The number of the last line that was returned.
  package private(set) var number = 0

  package init() {}

  /// Calls `body` for each line that `bytes` completes. A line that is too long is an error.
  package mutating func read(
    _ bytes: some Collection<UInt8>, _ body: (_ line: String) throws(NotationError) -> Void
  ) throws(NotationError) {
    var bytes = Array(bytes)[...]
    while let end = bytes.firstIndex(of: 0x0a) {
      rest += bytes[..<end]
      bytes = bytes[(end + 1)...]
      try finish(body)
    }
    rest += bytes
    guard rest.count <= RecordingLimit.lineBytes else {
      number += 1
      throw tooLong
    }
  }

  /// Whether the last line has no line end. Such a line is not read: the program that wrote it was killed, or its disk
  /// was full.
  package var isCut: Bool { !rest.isEmpty }

  private mutating func finish(_ body: (String) throws(NotationError) -> Void) throws(NotationError) {
    number += 1
    guard rest.count <= RecordingLimit.lineBytes else { throw tooLong }
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    guard let line = OutsideText.text(rest) else {
      throw NotationError("the line is not \(OutsideText.requirement)")
    }
    rest.removeAll(keepingCapacity: true)
    try body(line)
  }

  private var tooLong: NotationError {
    NotationError("the line is longer than \(RecordingLimit.lineBytes) bytes, the most that is allowed")
  }
}
