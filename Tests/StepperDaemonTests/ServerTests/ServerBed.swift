import Glibc
import StepperCore
import StepperInterfaces
import StepperLinux
import TestSupport
import Testing
import Varlink

@testable import StepperDaemon

/// A server on a real socket and a real event loop, with a handler whose calls cost what they say by the clock that the
/// server measures work with, whatever else the machine does. The clients are on the same thread: they act between
/// wakeups, so what comes after what is always the same.
@MainActor final class ServerBed {
  let folder: TemporaryFolder
  let loop: EventLoop
  let handler = ScriptedHandler()
  let server: VarlinkServer
  private let reported: ReportList

  init(_ limits: VarlinkServer.Limits = .init()) throws {
    folder = try TemporaryFolder()
    loop = try EventLoop()
    let service = VarlinkService(
      vendor: "", product: "test", version: "1", url: "",
      interfaces: [
        InterfaceDescription(name: "org.example", text: "interface org.example\nmethod Do() -> ()\n")
      ])
    let reported = ReportList()
    self.reported = reported
    let clock = handler.clock
    server = try VarlinkServer(
      on: UnixListener(path: "\(folder.path)/socket", mode: 0o666, group: nil), loop: loop, service: service,
      source: handler.streams, limits: limits, clock: { clock.read() },
      rank: { [handler] in handler.ranks[$0.userID] ?? .user },
      refusal: { VarlinkFailure(ManagerInterface.TooManyConnections(open: Int64($0))) },
      report: { message, gravity in
        reported.messages.append(message)
        if gravity == .bug { reported.bugs += 1 }
      })
  }

  var log: [String] { reported.messages }
  /// How many of those are faults of the server.
  var bugs: Int { reported.bugs }

  func client() throws -> WireClient { try WireClient("\(folder.path)/socket") }

  /// Runs until `condition` holds, looking after every wakeup, and after each `period`; `false` if it does not within
  /// `seconds`.
  @discardableResult
  func run(
    within seconds: Int64 = 120, every period: Duration? = nil, until condition: () throws -> Bool
  ) throws -> Bool {
    let end = Instant.now + .seconds(seconds)
    var result = Result<Bool, any Error>.success(false)
    try loop.run { now in
      serve(at: now)
      result = Result { try condition() }
      if case .success(false) = result, now < end {} else { loop.stop() }
      return [server.deadline(at: now), period.map { now + $0 }, end].compactMap(\.self).min()
    }
    return try result.get()
  }

  /// As the daemon does it in a wakeup.
  private func serve(at now: Instant) {
    server.sendReplies(at: now)
    server.answer(at: now) { call, session throws(VarlinkFailure) in try handler.answer(call, from: session) }
    server.sendReplies(at: now)
    let ended = server.takeEnded()
    handler.endedSessions += ended.sessions.count
    handler.endedStreams += ended.rows.count
  }
}

/// Time that passes with the work that is done.
@MainActor final class WorkClock {
  private var now = Instant.now

  /// What lies between two readings takes some time, too.
  func read() -> Instant {
    pass(.microseconds(20))
    return now
  }

  func pass(_ time: Duration) { now = now + time }
}

private final class ReportList {
  var messages: [String] = []
  var bugs = 0
}

/// Methods that a test can order by name and parameters.
@MainActor final class ScriptedHandler {
  let clock = WorkClock()
  let streams = CountedStreams()
  /// The texts of the calls that were answered, in their order.
  private(set) var answered: [String] = []
  /// How many calls named `flood` were answered since a test set it to 0.
  var floodSinceHealthy = 0
  private(set) var floods = 0
  fileprivate(set) var endedSessions = 0
  fileprivate(set) var endedStreams = 0
  /// The ranks of users; the others are users.
  var ranks: [UInt32: ConnectionSlots.Rank] = [:]

  struct Order: JSONReadable {
    let text: String?
    let padding: String?
    /// Of the reply.
    let bytes: Int?
    /// How long it takes to answer.
    let microseconds: Int64?
    /// Of a stream.
    let replies: Int?

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      text = try members.optional("text")
      padding = try members.optional("padding")
      bytes = try members.optional("bytes")
      microseconds = try members.optional("microseconds")
      replies = try members.optional("replies")
    }
  }

  func answer(_ call: VarlinkCall, from session: Session) throws(VarlinkFailure) -> Answer {
    let order: Order
    do {
      order = try call.parameters.decode(Order.self)
    } catch {
      throw VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "parameters"))
    }
    clock.pass(.microseconds(order.microseconds ?? 0))
    // Others who send on have the same time.
    let end = Instant.now + .microseconds(order.microseconds ?? 0)
    while Instant.now < end {}
    answered.append(order.text ?? "")
    if order.text == "flood" {
      floods += 1
      floodSinceHealthy += 1
    }
    if let replies = order.replies { return .stream(streams.add(replies, bytes: order.bytes ?? 1)) }
    if order.text == "infinite" { return .reply(["number": Double.infinity]) }
    return .reply(["text": String(repeating: "x", count: order.bytes ?? 1)])
  }

}

/// Rows of so many replies, each as soon as the one before it is taken.
@MainActor final class CountedStreams: ReplySource {
  private var rows: [(left: Int, bytes: Int)] = []

  func add(_ count: Int, bytes: Int) -> Int {
    rows.append((count, bytes))
    return rows.count - 1
  }

  func due(_ row: Int) -> Instant? { rows[row].left > 0 ? Instant(nanoseconds: 0) : nil }

  func sendReply(_ row: Int, on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    rows[row].left -= 1
    let text = String(repeating: "x", count: rows[row].bytes)
    connection.reply(["text": text], continues: rows[row].left > 0)
    return nil
  }

  func stopping(_ row: Int) -> VarlinkFailure { VarlinkFailure(ServiceInterface.PermissionDenied()) }
}

extension WireClient {
  /// Calls the scripted handler.
  func order(
    _ text: String = "", padding: Int? = nil, bytes: Int? = nil, microseconds: Int64? = nil,
    replies: Int? = nil,
    mode: VarlinkCall.Mode = .single, count: Int = 1
  ) throws {
    let order: JSONObject = [
      "text": text, "padding": padding.map { String(repeating: "x", count: $0) }, "bytes": bytes,
      "microseconds": microseconds, "replies": replies,
    ]
    let call = VarlinkCall("org.example.Do", parameters: try .init(encoding: order), mode: mode).encoded()
    send(Array(repeating: call, count: count).flatMap(\.self))
  }
}
