/// Bytes on their way to a socket, which accepts them in pieces.
struct OutputBuffer: Hashable, Sendable {
  /// All bytes, of which the first ones may have been sent. More are appended here.
  var bytes: [UInt8] = []
  private var sent = 0

  /// An empty buffer keeps its memory only up to this many bytes.
  private static let idleCapacity = 16_384

  /// How many bytes have not been sent.
  var count: Int { bytes.count - sent }
  /// How many bytes of memory the buffer has.
  var capacity: Int { bytes.capacity }
  /// The unsent bytes.
  var pending: ArraySlice<UInt8> { bytes[sent...] }

  /// Removes what was appended since there were `count` ``bytes``, and releases its memory.
  mutating func removeAll(from count: Int) { bytes = Array(bytes[..<count]) }

  /// Notes that the socket accepted `count` bytes. Unused memory is released.
  mutating func didSend(_ count: Int) {
    sent += min(max(count, 0), self.count)
    if sent == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= Self.idleCapacity)
      sent = 0
    } else if sent > bytes.count / 2 {
      bytes = Array(bytes[sent...])
      sent = 0
    }
  }
}
