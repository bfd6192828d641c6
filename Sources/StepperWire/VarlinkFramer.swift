/// Cuts a stream of bytes into messages, each of which ends with a NUL.
///
/// A message may arrive in any number of pieces, and a piece may hold any number of messages.
public struct VarlinkFramer: Sendable {
  /// The most bytes a message may have, its NUL not counted.
  public let limit: Int
  private var buffer: [UInt8] = []
  /// Where the first message that was not taken starts.
  private var start = 0
  /// Up to where there is known to be no NUL after `start`.
  private var searched = 0

  /// A framer for messages of up to `limit` bytes; 64 KiB unless told.
  public init(limit: Int = 65_536) { self.limit = limit }

  /// How many bytes were received but not taken.
  public var bufferedCount: Int { buffer.count - start }

  /// Adds what arrived.
  public mutating func receive(_ bytes: some Sequence<UInt8>) {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= limit)
      (start, searched) = (0, 0)
    } else if start > limit / 2 {
      buffer.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Takes the next complete message, without its NUL; nil if none is complete yet.
  ///
  /// Throws when the message exceeds the limit, from then on every time: the end of such a message is not
  /// searched for.
  public mutating func next() throws(VarlinkMessageError) -> [UInt8]? {
    while searched < buffer.count, buffer[searched] != 0, searched - start <= limit { searched += 1 }
    guard searched - start <= limit else { throw VarlinkMessageError("message of more than \(limit) bytes") }
    guard searched < buffer.count else { return nil }
    let message = Array(buffer[start..<searched])
    searched += 1
    start = searched
    return message
  }
}
