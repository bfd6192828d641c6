import StepperCore
internal import Varlink

/// A position in a text, for people. Lines and columns count from 1, columns in Unicode scalars. A byte order mark does
/// not count.
struct SourcePosition: Hashable, Sendable {
  var line: Int
  var column: Int
}

/// The bytes of a document, and the beginnings of its lines.
struct SourceText: Sendable {
  let bytes: [UInt8]
  /// The beginning of the text, after the byte order mark.
  let start: Int
  private let lineStarts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    start = bytes.withoutMark.startIndex
    var lineStarts = [start]
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { lineStarts.append(index + 1) }
    self.lineStarts = lineStarts
  }

  func line(at offset: Int) -> Int { lineIndex(at: offset) + 1 }

  /// The position of a byte. The time is proportional to the length of the line.
  func position(at offset: Int) -> SourcePosition {
    let line = lineIndex(at: offset)
    let lineStart = lineStarts[line]
    let before = bytes[lineStart..<max(min(offset, bytes.count), lineStart)]
    // Bytes 10xxxxxx continue a scalar.
    return SourcePosition(line: line + 1, column: before.count { $0 & 0xc0 != 0x80 } + 1)
  }

  private func lineIndex(at offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

/// Faults that make bytes invalid anywhere in a document.
extension SourceText {
  /// The error at the first byte that is not valid UTF-8; nil if all bytes are valid.
  var encodingError: SyntaxError? {
    guard !OutsideText.isUTF8(bytes.span) else { return nil }
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
      return SyntaxError("must be text in UTF-8, and this is UTF-16; save it as UTF-8", at: 0)
    }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
    let byte = offset < bytes.count ? "0x" + String(bytes[offset], radix: 16) : "the end"
    return SyntaxError("must be text in UTF-8, found \(byte) as byte \(offset + 1) of the file", at: offset)
  }

  /// Errors for the first `limit` control characters that no document may contain.
  func forbiddenCharacters(upTo limit: Int) -> [SyntaxError] {
    bytes.indices.lazy.filter(isForbidden).prefix(limit).map {
      SyntaxError("must not contain \(name(ofControl: bytes[$0]))", at: $0)
    }
  }

  private func isForbidden(at index: Int) -> Bool {
    switch bytes[index] {
    case "\t", "\n": false
    case "\r": index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
    case let byte: byte < 0x20 || byte == 0x7f
    }
  }

  private func name(ofControl byte: UInt8) -> String {
    switch byte {
    case 0: return "a NUL character"
    case "\r": return "a carriage return, except before a line feed"
    default:
      let escape = "\\u" + byte.digits(4, radix: 16, uppercase: true)
      return "a control character; in a text in double quotes it is written \(escape)"
    }
  }
}
