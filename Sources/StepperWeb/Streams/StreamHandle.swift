internal import Synchronization

/// An open stream of events. The stream is closed when this object is deallocated.
final class StreamHandle: Sendable {
  let id: String
  let signal = Signal()
  private let hub: ControlHub
  private let closed: @Sendable (String) -> Void

  /// Throws if there are too many streams. `closed` is called when the stream is closed.
  init(
    _ hub: ControlHub, of request: WebRequest, moments: Bool, closed: @escaping @Sendable (String) -> Void
  ) throws(Problem) {
    (self.hub, self.closed) = (hub, closed)
    id = RandomName.make()
    try hub.open(id, signal, of: request, moments: moments)
  }

  deinit {
    hub.close(id)
    closed(id)
  }
}
