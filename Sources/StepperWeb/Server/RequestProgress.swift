internal import NIOCore

/// The progress of a connection's current request, and the time by which it must have advanced. Used only on the connection's thread.
final class RequestProgress {
  /// How long a request may take from its first byte to its answer.
  static let requestTime = TimeAmount.seconds(10)
  /// How long a connection may stay open without a request.
  static let idleTime = TimeAmount.seconds(75)
  /// How long a reader may take to read what was written.
  static let stallTime = TimeAmount.seconds(60)
  /// How long the other side may take to read a refusal before the connection is closed.
  static let lingerTime = TimeAmount.seconds(1)
  /// The most bytes of a head, including the request line.
  static let headLimit = 16 << 10
  /// The most header fields.
  static let fieldLimit = 100

  /// Which of the next bytes belong to the current request.
  enum Wanted: Hashable {
    /// The bytes up to the end of the line.
    case line
    case bytes(Int)
    /// None: the request is complete, and the next one waits for its answer.
    case nothing
  }

  private enum Reading: Hashable {
    case head(count: Int, lines: Int)
    /// nil: the body comes in chunks, which are read as lines.
    case body(left: Int?)
    case whole
  }

  /// The request that is being read or answered.
  private struct Present {
    let began: NIODeadline
    var reading = Reading.head(count: 0, lines: 0)
    /// Whether its answer has been sent.
    var isAnswered = false
  }

  let connection: Connection
  /// Whether further bytes are discarded, because the connection is about to be closed.
  private(set) var isRefused = false
  private var present: Present?
  private var deadline: Scheduled<Void>?

  init(_ connection: Connection) { self.connection = connection }

  /// Whether no request has begun.
  var isIdle: Bool { present == nil }

  var wanted: Wanted {
    switch present?.reading {
    case nil, .head, .body(left: nil): .line
    case .body(let left?): left > 0 ? .bytes(left) : .line
    case .whole: .nothing
    }
  }

  /// The connection has been opened.
  func open() { limit(Self.requestTime) }

  /// `count` of the wanted bytes have arrived; `endsLine`: the last of them ends a line. Returns false if the head is too long.
  func read(_ count: Int, endsLine: Bool) -> Bool {
    if present == nil {
      present = Present(began: .now())
      connection.enter(.reading)
      limit(Self.requestTime)
    }
    switch present?.reading {
    case .head(let former, let ended):
      let (count, lines) = (former + count, ended + (endsLine ? 1 : 0))
      present?.reading = .head(count: count, lines: lines)
      // Apart from the fields, there are the request line and the empty line.
      return count <= Self.headLimit && lines <= Self.fieldLimit + 2
    case .body(let left?): present?.reading = .body(left: left - count)
    case .body(nil), .whole, nil: break
    }
    return true
  }

  /// The head is complete. Its body has `length` bytes; nil: it comes in chunks.
  func endHead(bodyLength length: Int?) { present?.reading = .body(left: length) }

  /// The request has arrived completely.
  func endRequest() {
    present?.reading = .whole
    if present?.isAnswered == true { end() } else { connection.enter(.answering) }
  }

  /// An answer or a stream begins.
  func beginAnswer(isStream: Bool) {
    connection.enter(isStream ? .streaming : .answering)
    limit(isStream ? nil : Self.stallTime)
  }

  /// The kernel has accepted the whole answer.
  func endAnswer() {
    guard !isRefused, let began = present?.began else { return }
    present?.isAnswered = true
    if present?.reading == .whole { return end() }
    // The rest of a body that nobody reads.
    connection.enter(.reading)
    limit(began + Self.requestTime - .now())
  }

  private func end() {
    present = nil
    connection.enter(.idle)
    limit(Self.idleTime)
  }

  /// The other side has begun or stopped reading.
  func note(isWritable: Bool) {
    guard !isRefused, connection.phase == .answering || connection.phase == .streaming else { return }
    limit(isWritable && connection.phase == .streaming ? nil : Self.stallTime)
  }

  /// The last answer of the connection has been written.
  func refuse() {
    isRefused = true
    limit(Self.lingerTime)
  }

  /// The connection has been closed.
  func close() { limit(nil) }

  /// Closes the connection after `time`, unless this method is called again before; nil: never.
  private func limit(_ time: TimeAmount?) {
    deadline?.cancel()
    let channel = connection.channel
    deadline = time.map { channel.eventLoop.scheduleTask(in: $0) { channel.close(promise: nil) } }
  }
}
