internal import HTTPTypes
internal import NIOCore
internal import StepperInterfaces
internal import Synchronization
internal import Varlink

/// The states and moments from the daemon, for streams and requests on any thread.
package final class ControlHub: Sendable {
  /// The most streams in total, and from one address.
  static let streamLimit = 64
  static let addressLimit = 16

  private struct Contents {
    var table = ControlRevisions()
    var moments = MomentRing()
    var streams: [String: Stream] = [:]
    var isStopped = false
    var tick: UInt64 = 0
    var latencies = Latencies()
  }

  private struct Stream {
    let signal: Signal
    let address: String
    let wantsMoments: Bool
    /// The token that the stream was opened with; nil: none is needed.
    let token: TokenID?
    let connection: Connection
  }

  private let contents = Mutex(Contents())
  /// Signalled when the first stream needs moments, or the last one has ended.
  let momentDemand = Signal()

  /// A hub without controls.
  package init() {}

  /// Gives `body` access to the table.
  func read<Result: Sendable, Failure: Error>(
    _ body: (borrowing ControlRevisions) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try contents.withLock { contents throws(Failure) in try body(contents.table) }
  }

  /// A copy of the current table, for callers that await something before they use it.
  var table: ControlRevisions { contents.withLock { $0.table } }

  /// Gives `body` access to the moments.
  func readMoments<Result: Sendable>(_ body: (borrowing MomentRing) -> Result) -> Result {
    contents.withLock { body($0.moments) }
  }

  /// Changes the table, and wakes the streams if `body` returns true because there is something new.
  func change(_ body: (inout ControlRevisions) -> Bool) {
    let woken = contents.withLock { contents in
      body(&contents.table) ? contents.streams.values.map(\.signal) : []
    }
    for signal in woken { signal.signal() }
  }

  func add(_ reply: ControlInterface.SubscribeMoments.Reply) {
    let woken = contents.withLock { contents in
      contents.moments.add(reply)
      return contents.streams.values.filter(\.wantsMoments).map(\.signal)
    }
    for signal in woken { signal.signal() }
  }

  /// Ends all streams. Streams that are opened later end at once.
  func stop() {
    contents.withLock { $0.isStopped = true }
    change { _ in true }
  }

  var isStopped: Bool { contents.withLock(\.isStopped) }

  /// The number of ticks so far; streams send each one on as a sign of life.
  var tick: UInt64 { contents.withLock(\.tick) }

  /// Makes all streams send a sign of life every two seconds, until the task is cancelled.
  func keepTicking() async {
    while (try? await Task.sleep(for: .seconds(2))) != nil {  // When cancelled, the loop ends.
      contents.withLock { $0.tick += 1 }
      change { _ in true }
    }
  }

  /// The times from the daemon's reply to the bytes of an event.
  var latencies: Latencies { contents.withLock(\.latencies) }

  func note(_ latency: Duration) { contents.withLock { $0.latencies.add(latency) } }
}

extension ControlHub {
  /// The number of open streams.
  var streamCount: Int { contents.withLock(\.streams.count) }

  var wantsMoments: Bool { contents.withLock { $0.streams.values.contains(where: \.wantsMoments) } }

  func hasStream(_ id: String) -> Bool { contents.withLock { $0.streams[id] != nil } }

  /// Opens a stream named `id`, which will be woken through `signal`. Throws if there are too many.
  func open(_ id: String, _ signal: Signal, of request: WebRequest, moments: Bool) throws(Problem) {
    let address = request.client
    let limit: Int? = contents.withLock { contents in
      if contents.streams.count >= Self.streamLimit { return Self.streamLimit }
      if contents.streams.values.count(where: { $0.address == address }) >= Self.addressLimit {
        return Self.addressLimit
      }
      contents.streams[id] = Stream(
        signal: signal, address: address, wantsMoments: moments, token: request.access.token,
        connection: request.connection)
      return nil
    }
    if let limit { throw .tooManyStreams(limit) }
    if moments { momentDemand.signal() }
  }

  /// Closes the connections of streams whose token is no longer valid. Their holds end with them.
  func endStreams(unless isValid: (TokenID) -> Bool) {
    let streams = contents.withLock { Array($0.streams.values) }
    for stream in streams {
      guard let token = stream.token, !isValid(token) else { continue }
      stream.connection.channel.close(promise: nil)
    }
  }

  func close(_ id: String) {
    contents.withLock { $0.streams[id] = nil }
    momentDemand.signal()
  }
}

extension Problem {
  fileprivate static func tooManyStreams(_ limit: Int) -> Problem {
    var problem = Problem(
      .serviceUnavailable, "there are \(limit) streams of events already, and no more are allowed",
      retryAfter: 5)
    problem.failure = .init(ControlInterface.TooManySubscriptions(limit: Int64(limit)))
    return problem
  }
}
