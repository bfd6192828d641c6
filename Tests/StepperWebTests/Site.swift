import Glibc
import Logging
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperWeb

/// Tests that serve, one after another.
@Suite(.serialized, .timeLimit(.minutes(10))) enum SiteTests {}

/// A web program on a free port in front of a daemon in the test's hands, with a folder that has `index.html`.
struct Site {
  let port: Int
  let folder: String
  /// Has the token file read again.
  let tokenFileChanges: StepperWeb.Signal
  /// The socket that is listened at besides the port.
  let socket: String

  /// Serves while `body` runs on a thread of its own.
  static func serve<Value: Sendable>(
    _ settings: WebSettings = WebSettings(), at host: String = "127.0.0.1", daemon: String,
    logging log: any LogHandler = SwiftLogNoOpLogHandler(),
    _ body: @escaping @Sendable (Site) throws -> Value
  ) async throws -> Value {
    var settings = settings
    let socket = "\(try PeerListener.newDirectory())/panel"
    settings.listen = [.internet(host: host, port: 0), .unix(socket)]
    let folder = try PeerListener.newDirectory()
    defer { unsafe remove(folder) }
    try write("<!doctype html>", to: "\(folder)/index.html")
    var options = WebOptions(settings, files: folder)
    options.address = daemon
    let logger = Logger(label: "test") { _ in log }
    let program = try await WebProgram(options, logger: logger)
    let port = try #require(
      program.addresses.first?.split(separator: ":").last.flatMap { Int($0.dropLast()) })
    let site = Site(port: port, folder: folder, tokenFileChanges: options.tokenFileChanges, socket: socket)
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask {
        try await program.run()
        return nil
      }
      group.addTask { try await onThread { try body(site) } }
      defer { group.cancelAll() }
      while let value = try await group.next() {
        if let value {
          await program.stop()
          return value
        }
      }
      throw PeerError("the program ended by itself")
    }
  }

  static func write(_ text: String, to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw PeerError("cannot write \(path)") }
    _ = unsafe Glibc.write(descriptor, text, text.utf8.count)
    close(descriptor)
  }

  func browser() throws -> Browser { try Browser(port: port) }

  /// The answer to one request on a connection of its own. `headers` replace what is usual; an empty one is left out.
  func answer(
    _ method: String = "GET", _ path: String, _ body: String? = nil, _ headers: [String: String] = [:],
    overSocket: Bool = false
  ) throws -> Browser.Answer {
    let browser = try begin(method, path, body, headers, overSocket: overSocket)
    guard let answer = try browser.answer(hasBody: method != "HEAD") else {
      throw PeerError("no answer to \(method) \(path)")
    }
    return answer
  }

  /// A connection of its own with one request.
  func begin(
    _ method: String, _ path: String, _ body: String? = nil, _ headers: [String: String] = [:],
    overSocket: Bool = false
  ) throws -> Browser {
    var all = ["Host": "localhost:\(port)", "Connection": "close"]
    if method != "GET", method != "HEAD" {
      all["X-Stepper"] = "1"
      all["Content-Type"] = "application/json"
    }
    if let body { all["Content-Length"] = String(body.utf8.count) }
    all.merge(headers) { $1 }
    let lines = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
    let browser = try overSocket ? Browser(socket: socket) : browser()
    try browser.send("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body ?? "")")
    return browser
  }

  /// Asks again until the daemon is heard of.
  func waitForDaemon(token: String = "") throws {
    let browser = try browser()
    let field = token.isEmpty ? "" : "Authorization: Bearer \(token)\r\n"
    try browser.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost:\(port)\r\n\(field)\r\n")
    while let event = try browser.event() { if event.type == "snapshot" { return } }
    throw PeerError("the stream ended before a snapshot")
  }
}

extension ControlInterface.Description {
  /// A volume from 0 to 100.
  static func example(_ control: String = "volume") -> Self {
    Self(
      control: control, kind: .continuous, profile: "uikit", minimum: 0, maximum: 100, step: 1, page: 10,
      digits: 0, format: .init(style: .decimal, grouping: false), wrap: false, writable: true)
  }
}

/// A daemon that answers everything for the control `volume`; the methods in `missing` it does not know, those in `failing`
/// fail, and at those in `closing` it closes the connection.
func daemon(
  missing: Set<String> = [], failing: Set<String> = [], closing: Set<String> = [],
  noting released: TestSupport.Signal? = nil
) throws -> AnsweringPeer {
  try AnsweringPeer { call in
    if call.method == ControlInterface.Release.name { released?.give() }
    if missing.contains(call.method) {
      return [VarlinkReply(VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method)))]
    }
    if closing.contains(call.method) { return [] }
    if failing.contains(call.method) {
      return [VarlinkReply(VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "control")))]
    }
    switch call.method {
    case ControlInterface.Subscribe.name:
      var reply = ControlInterface.Subscribe.Reply.snapshot([.example()], sequence: 1)
      reply.descriptions = [.example()]
      return [try .of(ControlInterface.Subscribe.self, reply, continues: true)]
    case ControlInterface.Press.name:
      return [try .of(ControlInterface.Press.self, .init(state: .example(sequence: 2), held: true))]
    case ControlInterface.Renew.name:
      return [try .of(ControlInterface.Renew.self, .init(state: .example(sequence: 2), held: true))]
    case ControlInterface.Slide.name:
      return [try .of(ControlInterface.Slide.self, .init(state: .example(sequence: 2)))]
    case ControlInterface.Release.name:
      return [try .of(ControlInterface.Release.self, .init(state: .example(sequence: 3)))]
    case ControlInterface.Turn.name:
      return [try .of(ControlInterface.Turn.self, .init(state: .example(sequence: 2)))]
    case ControlInterface.Step.name:
      return [try .of(ControlInterface.Step.self, .init(state: .example(sequence: 2), applied: 1))]
    case ControlInterface.Set.name:
      return [try .of(ControlInterface.Set.self, .init(state: .example(sequence: 2)))]
    case ControlInterface.Reset.name:
      return [try .of(ControlInterface.Reset.self, .init(state: .example(sequence: 2)))]
    default: return [VarlinkReply(VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method)))]
    }
  }
}
