internal import Varlink

/// Decodes the bytes from a terminal into keys. Sequences may be split at any point.
///
/// Recognizes the sequences of xterm, the Linux console and the VT220, with and without modifiers. Other sequences are
/// discarded completely.
struct KeyDecoder {
  /// The beginning of a sequence or of a character, at most `limit` bytes.
  private var pending: [UInt8] = []

  private static let limit = 32
  private static let escape: UInt8 = 0x1b

  /// Whether the last bytes may be the beginning of a sequence. If no more bytes follow within 100 ms, call
  /// `endSequence`.
  var isWaiting: Bool { !pending.isEmpty }

  /// The keys that `bytes` completes.
  mutating func keys(from bytes: some Sequence<UInt8>) -> [TerminalKey] { bytes.flatMap { keys(with: $0) } }

  /// The key of an incomplete sequence: Escape alone.
  mutating func endSequence() -> [TerminalKey] {
    defer { pending = [] }
    return pending.first == Self.escape ? [.escape] : []
  }

  private mutating func keys(with byte: UInt8) -> [TerminalKey] {
    guard let first = pending.first else { return begin(with: byte) }
    return first == Self.escape ? continueSequence(with: byte) : continueCharacter(with: byte)
  }

  private mutating func begin(with byte: UInt8) -> [TerminalKey] {
    switch byte {
    case 0x0a, 0x0d: return [.enter]
    case 0x08, 0x7f: return [.backspace]
    case 0x01...0x1a: return [.control(Character(Unicode.Scalar(byte + 0x60)))]
    case 0x20...0x7e: return [.character(Character(Unicode.Scalar(byte)))]
    case Self.escape, 0xc2...0xf4: pending = [byte]
    default: break
    }
    return []
  }

  // MARK: Characters of several bytes

  private mutating func continueCharacter(with byte: UInt8) -> [TerminalKey] {
    guard (0x80...0xbf).contains(byte) else {
      pending = []
      return begin(with: byte)
    }
    pending.append(byte)
    let length = pending[0] < 0xe0 ? 2 : pending[0] < 0xf0 ? 3 : 4
    guard pending.count == length else { return [] }
    defer { pending = [] }
    guard let text = OutsideText.text(pending), let character = text.first,
      text.unicodeScalars.first?.properties.generalCategory != .control
    else { return [] }
    return [.character(character)]
  }

  // MARK: Escape sequences

  private mutating func continueSequence(with byte: UInt8) -> [TerminalKey] {
    let introducer = pending.count > 1 ? pending[1] : nil
    switch introducer {
    case nil: return afterEscape(byte)
    case UInt8(ascii: "O"):
      pending = []
      // Enter of the keypad.
      if byte == UInt8(ascii: "M") { return [.enter] }
      return Self.keys(final: byte, parameters: [])
    default: return controlSequence(with: byte)
    }
  }

  private mutating func afterEscape(_ byte: UInt8) -> [TerminalKey] {
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") {
      pending.append(byte)
      return []
    }
    // This is Escape, quickly followed by another key. Terminals send Alt with a key in the same way.
    pending = []
    return [.escape] + begin(with: byte)
  }

  private mutating func controlSequence(with byte: UInt8) -> [TerminalKey] {
    switch byte {
    case 0x20...0x3f:
      if pending.count < Self.limit { pending.append(byte) }
      return []
    // Function keys of the Linux console: a letter follows the second bracket.
    case UInt8(ascii: "[") where pending.count == 2:
      pending.append(byte)
      return []
    case 0x40...0x7e:
      defer { pending = [] }
      // No sequence of a key is that long.
      guard pending.count < Self.limit, pending.last != UInt8(ascii: "[") || pending.count == 2 else {
        return []
      }
      return Self.keys(final: byte, parameters: pending.dropFirst(2))
    default:
      pending = []
      return begin(with: byte)
    }
  }

  private static func keys(final: UInt8, parameters: ArraySlice<UInt8>) -> [TerminalKey] {
    let number = final == UInt8(ascii: "~") ? parameters.prefix { $0 != UInt8(ascii: ";") } : []
    return switch OutsideText.shown(number + [final]) {
    case "A": [.up]
    case "B": [.down]
    case "C": [.right]
    case "D": [.left]
    case "H", "1~", "7~": [.home]
    case "F", "4~", "8~": [.end]
    case "3~": [.delete]
    case "5~": [.pageUp]
    case "6~": [.pageDown]
    default: []
    }
  }
}
