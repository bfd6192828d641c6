internal import Synchronization

/// An open stream of events, which is closed when this goes away.
final class StreamHandle: Sendable {
  let id: String
  let signal = Signal()
  private let hub: ControlHub
  private let closed: @Sendable (String) -> Void

  /// Throws if there are too many streams. `closed` is told of the end.
  init(
    _ hub: ControlHub, from address: String, moments: Bool, closed: @escaping @Sendable (String) -> Void
  ) throws(Problem) {
    (self.hub, self.closed) = (hub, closed)
    id = Self.randomID()
    try hub.open(id, signal, from: address, moments: moments)
  }

  deinit {
    hub.close(id)
    closed(id)
  }

  /// 132 bits that nobody guesses.
  private static func randomID() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<22).map { _ in letters[Int.random(in: letters.indices)] })
  }
}
