/// Cuts a stream of bytes into messages, each of which ends with a NUL.
///
/// A message may arrive in any number of pieces, and a piece may hold any number of messages.
public struct VarlinkFramer: Sendable {
  /// The most bytes a message may have, its NUL not counted.
  public let limit: Int
  private var buffer: [UInt8] = []
  /// The start of the first message that has not been returned.
  private var start = 0
  /// If ``isReady``, the end of that message; otherwise, the position up to which no NUL was found after `start`.
  private var searched = 0

  /// A buffer without a message in it keeps its memory only up to this many bytes.
  private static let idleCapacity = 4_096

  /// A framer for messages of up to `limit` bytes, 64 KiB by default.
  public init(limit: Int = 65_536) { self.limit = limit }

  /// The number of bytes that were received but not taken.
  public var bufferedCount: Int { buffer.count - start }

  /// The length in bytes of the complete message; 0 if none is complete.
  public var messageCount: Int { isReady ? searched - start : 0 }

  /// How many bytes of memory the buffer has.
  public var capacity: Int { buffer.capacity }

  /// Whether ``next()`` has a result: a message is complete, or exceeds the limit.
  public var isReady: Bool { searched < buffer.count || searched - start > limit }

  /// Adds bytes that have arrived.
  public mutating func receive(_ bytes: some Sequence<UInt8>) {
    discardTaken()
    let needed = buffer.count + bytes.underestimatedCount
    // Doubled, as arrays grow by themselves, but not beyond what one message and the bytes after it may need.
    if needed > buffer.capacity { buffer.reserveCapacity(max(needed, min(2 * needed, limit))) }
    buffer.append(contentsOf: bytes)
    search()
  }

  /// Takes the next complete message, without its NUL; nil if none is complete yet.
  ///
  /// Throws when the message exceeds the limit, and on every later call: the end of such a message is not searched
  /// for.
  public mutating func next() throws(VarlinkMessageError) -> [UInt8]? {
    guard let (bytes, range) = try nextInPlace() else { return nil }
    return Array(bytes[range])
  }

  /// Like ``next()``, but without copying: the message is at `range` of `bytes`, the framer's own buffer. If the
  /// caller still holds `bytes` when the framer changes its buffer, with the next ``receive(_:)``, they are copied
  /// then.
  mutating func nextInPlace() throws(VarlinkMessageError) -> (bytes: [UInt8], range: Range<Int>)? {
    guard isReady else { return nil }
    guard searched - start <= limit else { throw VarlinkMessageError("message of more than \(limit) bytes") }
    let message = (buffer, start..<searched)
    searched += 1
    start = searched
    if start == buffer.count, buffer.capacity > Self.idleCapacity { discardTaken() } else { search() }
    return message
  }

  private mutating func search() {
    let end = limit < buffer.count - start ? start + limit + 1 : buffer.count
    unsafe buffer.withUnsafeBytes { bytes in
      // Skips eight bytes at a time as long as none of them is 0.
      while end - searched >= 8,
        !Self.hasZero(unsafe bytes.loadUnaligned(fromByteOffset: searched, as: UInt64.self))
      { searched += 8 }
      while searched < end, unsafe bytes[searched] != 0 { searched += 1 }
    }
  }

  /// Whether one of the bytes of `word` is 0: the subtraction sets the highest bit of the lowest zero byte, which was
  /// not set before.
  private static func hasZero(_ word: UInt64) -> Bool {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
  }

  /// Releases the memory of messages that were taken, once it is at least half of the buffer.
  private mutating func discardTaken() {
    guard start > 0, start >= bufferedCount else { return }
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= Self.idleCapacity)
    } else {
      buffer = Array(buffer[start...])
    }
    searched -= start
    start = 0
  }
}
