internal import NIOCore

/// How far the present request of a connection is, and until when it must have come further. Used on the connection's
/// thread alone.
final class RequestProgress {
  /// How long a request may take from its first byte to its answer.
  static let requestTime = TimeAmount.seconds(10)
  /// How long a connection may stay open without a request.
  static let idleTime = TimeAmount.seconds(75)
  /// How long a reader may take for what was written.
  static let stallTime = TimeAmount.seconds(60)
  /// How long the other side may take to read a refusal before the connection is closed.
  static let lingerTime = TimeAmount.seconds(1)
  /// The most bytes of a head, request line included.
  static let headLimit = 16 << 10

  /// What of the next bytes belongs to the present request.
  enum Wanted: Hashable {
    /// Up to the end of the line.
    case line
    case bytes(Int)
    /// It has come whole, and the next one waits for its answer.
    case nothing
  }

  private enum Reading: Hashable {
    case head(count: Int)
    /// nil: it comes in chunks, which are lines.
    case body(left: Int?)
    case whole
  }

  /// The request that is read or answered.
  private struct Present {
    let began: NIODeadline
    var reading = Reading.head(count: 0)
    /// Whether its answer has left.
    var isAnswered = false
  }

  let connection: Connection
  /// Whether what comes is discarded: the connection is about to be closed.
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

  /// The connection is open.
  func open() { limit(Self.requestTime) }

  /// `count` bytes of what is wanted come. False: the head is too long.
  func read(_ count: Int) -> Bool {
    if present == nil {
      present = Present(began: .now())
      connection.enter(.reading)
      limit(Self.requestTime)
    }
    switch present?.reading {
    case .head(let former):
      present?.reading = .head(count: former + count)
      return former + count <= Self.headLimit
    case .body(let left?): present?.reading = .body(left: left - count)
    case .body(nil), .whole, nil: break
    }
    return true
  }

  /// The head is complete; its body has `length` bytes, or comes in chunks.
  func endHead(bodyLength length: Int?) { present?.reading = .body(left: length) }

  /// The request has come whole.
  func endRequest() {
    present?.reading = .whole
    if present?.isAnswered == true { end() } else { connection.enter(.answering) }
  }

  /// An answer begins, or a stream.
  func beginAnswer(isStream: Bool) {
    connection.enter(isStream ? .streaming : .answering)
    limit(isStream ? nil : Self.stallTime)
  }

  /// The kernel has taken the whole answer.
  func endAnswer() {
    guard !isRefused, let began = present?.began else { return }
    present?.isAnswered = true
    if present?.reading == .whole { return end() }
    // The rest of a body that is not read.
    connection.enter(.reading)
    limit(began + Self.requestTime - .now())
  }

  private func end() {
    present = nil
    connection.enter(.idle)
    limit(Self.idleTime)
  }

  /// Whether the other side reads has changed.
  func note(isWritable: Bool) {
    guard !isRefused, connection.phase == .answering || connection.phase == .streaming else { return }
    limit(isWritable && connection.phase == .streaming ? nil : Self.stallTime)
  }

  /// The last of the connection is written.
  func refuse() {
    isRefused = true
    limit(Self.lingerTime)
  }

  /// The connection is closed.
  func close() { limit(nil) }

  /// Closes the connection after `time`, unless this is called before.
  private func limit(_ time: TimeAmount?) {
    deadline?.cancel()
    let channel = connection.channel
    deadline = time.map { channel.eventLoop.scheduleTask(in: $0) { channel.close(promise: nil) } }
  }
}
