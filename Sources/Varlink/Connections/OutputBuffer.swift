/// Bytes on their way to a socket that takes them in pieces.
struct OutputBuffer: Hashable, Sendable {
  private var bytes: [UInt8] = []
  private var sent = 0

  /// An empty buffer keeps its memory up to so many bytes.
  private static let idleCapacity = 16_384

  /// How many bytes have not been sent.
  var count: Int { bytes.count - sent }
  /// How many bytes of memory the buffer has.
  var capacity: Int { bytes.capacity }
  /// The unsent bytes.
  var pending: ArraySlice<UInt8> { bytes[sent...] }

  /// Lets `write` append to the buffer.
  mutating func append(_ write: (inout [UInt8]) -> Void) { write(&bytes) }

  /// Lets `write` append at most `limit` bytes to the buffer; if they are more, false and nothing is appended. Nothing is
  /// appended either if it throws.
  mutating func append<Failure: Error>(
    atMost limit: Int, _ write: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let former = bytes.count
    do throws(Failure) {
      try write(&bytes)
    } catch {
      bytes.removeLast(bytes.count - former)
      throw error
    }
    guard bytes.count - former > limit else { return true }
    // Excess memory is released.
    bytes = Array(bytes[..<former])
    return false
  }

  /// The socket accepted `count` bytes. Unused memory is released.
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
