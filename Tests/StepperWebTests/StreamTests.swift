import Logging
import StepperInterfaces
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import StepperWeb

/// What was logged.
private final class CountingLog: LogHandler {
  let lines = Mutex<[String]>([])
  var logLevel: Logger.Level {
    get { .info }
    set {}  // As it is.
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}  // There is none.
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}  // There is none.
  }

  func log(event: LogEvent) { lines.withLock { $0.append(event.message.description) } }
}

extension SiteTests {
  @Suite("Streams of events") struct StreamTests {
    /// It answers nothing else, so the program may find it silent meanwhile and say so.
    ///
    /// Sends the first reply, then what `changes` yields, one reply for each `Signal`.
    private static func serveChanges(
      _ listener: PeerListener, _ next: TestSupport.Signal, count: Int64
    ) -> PeerThread<Void> {
      PeerThread {
        while let connection = listener.acceptUntilShutdown() {
          guard let call = connection.nextCallUntilClosed(), call.method == ControlInterface.Subscribe.name
          else {
            continue
          }
          var first = ControlInterface.Subscribe.Reply.snapshot([.example(), .example("bass")], sequence: 1)
          first.descriptions = [.example(), .example("bass")]
          try connection.reply(ControlInterface.Subscribe.self, first, continues: true)
          for sequence in 2...(count + 1) {
            try next.wait()
            let change = ControlInterface.Subscribe.Reply.change(
              [.example("volume", Double(sequence), sequence: sequence)], sequence: sequence)
            try connection.reply(ControlInterface.Subscribe.self, change, continues: true)
          }
          // Until the program hangs up: it would come again.
          _ = connection.nextCallUntilClosed()
        }
      }
    }

    private static func open(_ site: Site, _ query: String = "", id: String? = nil) throws -> Browser {
      let browser = try site.browser()
      let last = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
      try browser.send("GET /api/v1/events\(query) HTTP/1.1\r\nHost: localhost:\(site.port)\r\n\(last)\r\n")
      return browser
    }

    @Test func `begin with everything, tell changes, and resume`() async throws {
      let listener = try PeerListener()
      let next = TestSupport.Signal()
      let peer = Self.serveChanges(listener, next, count: 2)
      try await Site.serve(daemon: listener.path) { site in
        let browser = try Self.open(site)
        var types: [String] = []
        while types.last != "snapshot", let event = try browser.event(skipping: ["daemon", "stream"]) {
          types.append(event.type)
        }
        #expect(types == ["snapshot"])
        next.give()
        let change = try #require(try browser.event(skipping: ["daemon", "stream"]))
        #expect(change.type == "change")
        #expect(change.id == "one:2")
        #expect(change.data.hasPrefix("{\"sequence\":2,\"coalesced\":0,\"states\":[{\"control\":\"volume\""))
        next.give()
        #expect(try browser.event(skipping: ["daemon", "stream"])?.id == "one:3")

        let resumed = try Self.open(site, id: "one:2")
        let again = try #require(try resumed.event(skipping: ["daemon", "stream"]))
        #expect(again.type == "change")
        #expect(again.data.contains("\"value\":3") && !again.data.contains("bass"))

        let other = try Self.open(site, "?match=b*&last=two:2")
        let snapshot = try #require(try other.event(skipping: ["daemon", "stream"]))
        #expect(snapshot.type == "snapshot")
        #expect(snapshot.data.contains("bass") && !snapshot.data.contains("volume"))
      }
      listener.shutDown()
      try await peer.value
    }

    @Test func `begin anew in another language`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let english = try Self.open(site, "?language=en&last=one:1")
        #expect(try english.event(skipping: ["daemon", "stream"])?.type == "change")
        let german = try Self.open(site, "?language=de&last=one:1")
        let snapshot = try #require(try german.event(skipping: ["daemon", "stream"]))
        #expect(snapshot.type == "snapshot")
        let id = try #require(snapshot.id)
        let again = try Self.open(site, "?language=de", id: id)
        #expect(try again.event(skipping: ["daemon", "stream"])?.type == "change")
      }
    }

    @Test func `tell in another language what is said of the states that they tell`() async throws {
      let listener = try PeerListener()
      let (asked, answers, next) = (TestSupport.Signal(), TestSupport.Signal(), TestSupport.Signal())
      let count = Mutex(0)
      for _ in 0..<4 {
        startThread {
          while let connection = listener.acceptUntilShutdown() {
            while let call = connection.nextCallUntilClosed() {
              // The other side may be gone.
              try? Self.answer(call, connection, next) {
                asked.give()
                try answers.wait()
                return count.withLock { count in
                  count += 1
                  return count
                }
              }
            }
          }
        }
      }
      try await Site.serve(daemon: listener.path) { site in
        try site.waitForDaemon()
        let german = try Self.open(site, "?language=de")
        try asked.wait()
        // While the daemon is asked, there is a newer state, which others are told.
        let english = try Self.open(site)
        while try english.event()?.type != "snapshot" {}
        next.give()
        while try english.event()?.type != "change" {}
        for _ in 0..<2 { answers.give() }
        let snapshot = try #require(try german.event(skipping: ["daemon", "stream"]))
        try #require(snapshot.type == "snapshot" && snapshot.data.contains("\"value\":\"text 1\""))
        let change = try #require(try german.event(skipping: ["daemon", "stream"]))
        #expect(change.type == "change" && change.data.contains("\"value\":\"text 2\""))
      }
      listener.shutDown()
    }

    /// A daemon with one change, which comes with `next`; of what it describes it says which time it is.
    private static func answer(
      _ call: VarlinkCall, _ connection: PeerConnection, _ next: TestSupport.Signal, _ time: () throws -> Int
    ) throws {
      switch call.method {
      case ControlInterface.Subscribe.name:
        var first = ControlInterface.Subscribe.Reply.snapshot([.example()], sequence: 1)
        first.descriptions = [.example()]
        try connection.reply(ControlInterface.Subscribe.self, first, continues: true)
        try next.wait()
        let change = ControlInterface.Subscribe.Reply.change([.example(sequence: 2)], sequence: 2)
        try connection.reply(ControlInterface.Subscribe.self, change, continues: true)
      case ControlInterface.Describe.name:
        let accessibility = ControlInterface.Accessibility(
          role: .slider, label: "volume", value: "text \(try time())", adjustable: true, announcement: .off,
          speech: "")
        let reply = ControlInterface.Describe.Reply(
          description: .example(), state: .example(), accessibility: accessibility)
        try connection.reply(ControlInterface.Describe.self, reply)
      default:
        try connection.send(
          VarlinkReply(VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method))).encoded())
      }
    }

    @Test func `leave their room to others while they rest`() async throws {
      let controls = (0..<6000).map { "c\($0)" }
      let peer = try AnsweringPeer { call in
        guard call.method == ControlInterface.Subscribe.name else {
          return [VarlinkReply(VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method)))]
        }
        var reply = ControlInterface.Subscribe.Reply.snapshot(controls.map { .example($0) }, sequence: 1)
        reply.descriptions = controls.map { .example($0) }
        return [try .of(ControlInterface.Subscribe.self, reply, continues: true)]
      }
      try await Site.serve(daemon: peer.path) { site in
        while try site.answer("GET", "/api/v1/controls/c1").status != 200 {}
        let stream = try Self.open(site, "?match=c1&interval=60000")
        while try stream.event()?.type != "snapshot" {}
        #expect(try site.answer("GET", "/").status == 200)
      }
    }

    @Test func `are logged a few times where their moments cannot be followed`() async throws {
      let peer = try daemon(closing: [ControlInterface.SubscribeMoments.name])
      let log = CountingLog()
      try await Site.serve(daemon: peer.path, logging: log) { site in
        for count in 1...25 {
          let stream = try Self.open(site, "?moments=1")
          try eventually { peer.heard.count { $0.hasPrefix("SubscribeMoments") } >= count }
          _ = stream
        }
      }
      #expect(
        (1...21).contains(log.lines.withLock { $0.count { $0.contains("moments cannot be followed") } }))
    }

    @Test func `log nothing where the daemon is known to be away`() async throws {
      let log = CountingLog()
      let path = "\(try PeerListener.newDirectory())/none"
      try await Site.serve(daemon: path, logging: log) { site in
        try eventually { log.lines.withLock { $0.contains { $0.contains("not connected to stepperd") } } }
        for _ in 0..<5 {
          let browser = try site.begin("GET", "/api/v1/events?moments=1", nil, ["Connection": ""])
          while let event = try browser.event(), event.type != "daemon" {}
        }
      }
      #expect(log.lines.withLock { $0.count { $0.contains("cannot") || $0.contains("not connected") } } == 1)
    }

    @Test func `tell when the daemon goes and comes`() async throws {
      let listener = try PeerListener()
      let next = TestSupport.Signal()
      let peer = PeerThread {
        for sequence: Int64 in 1...2 {
          let connection = try listener.accept()
          _ = try connection.expect(ControlInterface.Subscribe.self)
          var first = ControlInterface.Subscribe.Reply.snapshot(
            [.example(sequence: sequence)], instance: "\(sequence)", sequence: sequence)
          first.descriptions = [.example()]
          try connection.reply(ControlInterface.Subscribe.self, first, continues: true)
          try next.wait()
        }
      }
      try await Site.serve(daemon: listener.path) { site in
        let browser = try Self.open(site)
        while try browser.event()?.type != "snapshot" {}
        next.give()
        #expect(try browser.event()?.data.hasPrefix("{\"connected\":false,\"problem\":") == true)
        #expect(try browser.event()?.data == "{\"connected\":true}")
        let snapshot = try #require(try browser.event())
        #expect(snapshot.id == "2:2")
        #expect(snapshot.type == "snapshot")
        next.give()
      }
      try await peer.value
    }

    @Test func `fold what comes faster than the interval`() async throws {
      let listener = try PeerListener()
      let next = TestSupport.Signal()
      let peer = Self.serveChanges(listener, next, count: 50)
      try await Site.serve(daemon: listener.path) { site in
        let browser = try Self.open(site, "?interval=200")
        while try browser.event(skipping: ["daemon", "stream"])?.type != "snapshot" {}
        for _ in 0..<50 { next.give() }
        var (events, folded) = (0, 0)
        while let event = try browser.event(skipping: ["daemon", "stream"]) {
          events += 1
          let count = event.data.split(separator: "\"coalesced\":").last.flatMap {
            Int($0.prefix { $0.isNumber })
          }
          folded += count ?? 0
          if event.id == "one:51" { break }
        }
        #expect(events + folded == 50)
        #expect(events < 10)
      }
      listener.shutDown()
      try await peer.value
    }
  }
}

@Suite struct `Moments` {
  @Test func `a ring of moments tells each reader how many it lost`() {
    var ring = MomentRing()
    var cursor = ring.end
    ring.add(.init(moments: [.example()], dropped: 0))
    var text: [UInt8] = []
    ring.appendEvent(after: &cursor, of: .all, to: &text)
    #expect(String(decoding: text, as: UTF8.self).hasSuffix("\"dropped\":0}\n\n"))
    text = []
    ring.appendEvent(after: &cursor, of: .all, to: &text)
    #expect(text.isEmpty)
    ring.add(.init(moments: [ControlInterface.MomentEvent](repeating: .example(), count: 300), dropped: 2))
    ring.appendEvent(after: &cursor, of: .all, to: &text)
    #expect(String(decoding: text, as: UTF8.self).hasSuffix("\"dropped\":46}\n\n"))
  }

  @Test(arguments: [Int64.max, .min])
  func `a ring takes any number that a daemon has lost`(_ number: Int64) {
    var ring = MomentRing()
    var cursor = ring.end
    for _ in 0..<3 { ring.add(.init(moments: [.example()], dropped: number)) }
    var text: [UInt8] = []
    ring.appendEvent(after: &cursor, of: .all, to: &text)
    #expect(!text.isEmpty)
  }
}

@Suite struct `Events` {
  /// Their types, in order.
  private static func types(_ table: ControlRevisions, after cursor: inout ControlRevisions.Cursor)
    -> [Substring]
  {
    var text: [UInt8] = []
    table.appendEvents(after: &cursor, of: .all, to: &text)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("event: ") }
      .map { $0.dropFirst("event: ".count) }
  }

  @Test func `are resumed by who is shown the same, and begin anew for others`() {
    var table = ControlRevisions()
    var first = ControlInterface.Subscribe.Reply.snapshot([.example(), .example("bass")], sequence: 7)
    first.descriptions = [.example(), .example("bass")]
    table.apply(first)
    _ = table.note(.open)
    func types(_ view: String?, after id: EventID) -> [Substring] {
      var cursor = ControlRevisions.Cursor()
      (cursor.view, cursor.resumption) = (view, id)
      return Self.types(table, after: &cursor)
    }
    let plain = EventID(instance: "one", sequence: 7)
    #expect(types(nil, after: plain) == ["daemon", "change"])
    #expect(types("a", after: plain) == ["daemon", "snapshot"])
    #expect(types("a", after: EventID(instance: "one", sequence: 7, view: "a")) == ["daemon", "change"])
    #expect(types(nil, after: EventID(instance: "one", sequence: 7, view: "a")) == ["daemon", "snapshot"])
  }

  @Test(arguments: [Int64.max, .min])
  func `are told of any number of changes that a daemon has left out`(_ number: Int64) {
    var table = ControlRevisions()
    _ = table.note(.open)
    var cursor = ControlRevisions.Cursor()
    #expect(Self.types(table, after: &cursor) == ["daemon"])
    for sequence: Int64 in 1...3 {
      var reply = ControlInterface.Subscribe.Reply.snapshot([.example()], sequence: sequence)
      (reply.descriptions, reply.coalesced, reply.snapshot) = ([.example()], number, sequence == 1)
      table.apply(reply)
      #expect(Self.types(table, after: &cursor).last == (sequence == 1 ? "snapshot" : "change"))
    }
  }

  @Test func `what is told after a change came after it, also to who comes later`() {
    var table = ControlRevisions()
    var cursor = ControlRevisions.Cursor()
    #expect(Self.types(table, after: &cursor) == ["daemon"])
    var first = ControlInterface.Subscribe.Reply.snapshot([.example()], sequence: 1)
    first.descriptions = [.example()]
    table.apply(first)
    _ = table.note(.open)
    #expect(Self.types(table, after: &cursor) == ["daemon", "snapshot"])
    table.apply(.change([.example("volume", 2, sequence: 2)], sequence: 2))
    _ = table.note(.lost("gone"))
    #expect(Self.types(table, after: &cursor) == ["change", "daemon"])
    var late = ControlRevisions.Cursor()
    #expect(Self.types(table, after: &late) == ["snapshot", "daemon"])
    #expect(Self.types(table, after: &late) == [])
  }
}
