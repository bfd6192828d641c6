/// Bytes on their way to a socket that takes them in pieces.
struct OutputBuffer: Hashable, Sendable {
  private var bytes: [UInt8] = []
  private var sent = 0

  /// How many bytes have not been sent.
  var count: Int { bytes.count - sent }
  /// What has not been sent.
  var pending: ArraySlice<UInt8> { bytes[sent...] }

  /// Lets `write` append to the buffer.
  mutating func append(_ write: (inout [UInt8]) -> Void) { write(&bytes) }

  /// The socket took `count` bytes more. The memory of a drained buffer is kept unless it is large.
  mutating func didSend(_ count: Int) {
    sent += min(max(count, 0), self.count)
    if sent == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 65_536)
      sent = 0
    } else if sent > bytes.count / 2 {
      bytes.removeFirst(sent)
      sent = 0
    }
  }
}
