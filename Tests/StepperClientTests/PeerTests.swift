import TestSupport
import Testing

/// Everything that needs a peer at the other end of a socket, one after another.
@Suite(.serialized, .timeLimit(.minutes(10))) enum PeerTests {}

extension PeerListener {
  /// Runs `script` on a thread; its result is awaited so that it fails the test if it throws.
  func peer<Value: Sendable>(
    _ script: @escaping @Sendable (PeerListener) throws -> Value
  ) -> PeerThread<Value> {
    PeerThread { try script(self) }
  }
}
