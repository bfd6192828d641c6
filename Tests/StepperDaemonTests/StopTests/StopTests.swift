import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// What the daemon does when it is told to end while it has work: everything here arrives in one wakeup, because the process
/// stands still (`SIGSTOP`) until all of it is written.
@Suite(.timeLimit(.minutes(10)))
struct StopTests {
  private static let configuration = "\(SavingTests.panel)[control.volume]\nrotate = \"panel:dial\"\n"

  private func value(in folder: TemporaryFolder, of control: String = "volume") throws -> Double? {
    let daemon = try RunningDaemon(Self.configuration, in: folder)
    defer { daemon.process.signal(SIGTERM) }
    return try daemon.client().state(of: control).value
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a change that was answered is kept, and those who follow are told of it and of the end`(
    signal: CInt
  ) throws {
    let daemon = try RunningDaemon(Self.configuration)
    let (client, states, moments, devices) = (
      try daemon.client(), try daemon.client(), try daemon.client(), try daemon.client()
    )
    try states.subscribe()
    _ = try states.next()
    try moments.send(ControlInterface.SubscribeMoments.self, .init())
    _ = try moments.reply()
    try devices.send(DeviceInterface.Subscribe.self, NoParameters())
    _ = try devices.reply()
    _ = try client.state()
    try daemon.process.whileStopped {
      try client.send(ControlInterface.Set.self, .init(control: "volume", value: 42))
      daemon.process.signal(signal)
    }
    let answer = try? client.reply()
    #expect(try daemon.process.waitForExit() == 0, "\(daemon.process.output)")
    if let answer {
      #expect(answer.error == nil)
      #expect(try states.next().states.map(\.value) == [42])
      let told = try moments.reply().decode(ControlInterface.SubscribeMoments.Reply.self)
      #expect(told.moments.map(\.moment.rawValue) == ["set"])
    }
    #expect(try states.reply().error == ControlInterface.Stopping.name)
    #expect(try moments.reply().error == ControlInterface.Stopping.name)
    #expect(try devices.reply().error == DeviceInterface.Stopping.name)
    for other in [client, states, moments, devices] { #expect(try other.isClosed()) }
    #expect(try value(in: daemon.folder) == (answer == nil ? 0 : 42))
  }

  @Test func `what a client holds is released before the values are saved`() throws {
    let configuration =
      "\(SavingTests.panel)[control.volume]\nincrement = \"panel:plus\"\ncontinuous = false\n"
    let daemon = try RunningDaemon(configuration)
    let (client, states) = (try daemon.client(), try daemon.client())
    try states.subscribe()
    _ = try states.next()
    try client.press()
    let held = try client.state()
    daemon.process.signal(SIGTERM)
    let last = try states.values(until: { $0.value == 1 })
    #expect(try states.reply().error == ControlInterface.Stopping.name)
    #expect(try daemon.process.waitForExit() == 0, "\(daemon.process.output)")
    #expect(held.editing && held.value == 0 && last.last == 1)
    #expect(try value(in: daemon.folder) == 1)
  }

  @Test func `one-way calls that were received with the signal are performed`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    _ = try client.state()
    try daemon.process.whileStopped {
      for number in 1...50 {
        try client.send(
          ControlInterface.Set.self, .init(control: "volume", value: Double(number)), mode: .oneway)
      }
      client.endInput()
      daemon.process.signal(SIGTERM)
    }
    #expect(try daemon.process.waitForExit() == 0, "\(daemon.process.output)")
    #expect(try value(in: daemon.folder) == 50)
  }

  @Test func `a reload and a stop in one wakeup are a stop`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let (client, moments) = (try daemon.client(), try daemon.client())
    try moments.send(ControlInterface.SubscribeMoments.self, .init())
    _ = try moments.reply()
    _ = try client.state()
    try daemon.process.whileStopped {
      try client.send(ControlInterface.Set.self, .init(control: "volume", value: 7))
      try client.send(ManagerInterface.Reload.self, NoParameters())
      for signal in [SIGHUP, SIGTERM, SIGINT, SIGHUP, SIGTERM] { daemon.process.signal(signal) }
    }
    let answer = try? client.reply()
    #expect(try daemon.process.waitForExit() == 0, "\(daemon.process.output)")
    #expect(try moments.messageOrEnd().contains { $0.contains(ControlInterface.Stopping.name) })
    #expect(try value(in: daemon.folder) == (answer == nil ? 0 : 7))
  }

  @Test func `a stop ends while clients call without reading`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let clients = try (0..<20).map { _ in try daemon.client() }
    for client in clients { _ = try client.state() }
    try daemon.process.whileStopped {
      for client in clients {
        for number in 1...50 {
          try client.send(ControlInterface.Set.self, .init(control: "volume", value: Double(number)))
        }
      }
      daemon.process.signal(SIGTERM)
    }
    #expect(try daemon.process.waitForExit() == 0, "\(daemon.process.output)")
    // What was answered last is what the next start has: each answer has the state after its call.
    var last: (sequence: Int64, value: Double?) = (0, 0)
    for client in clients {
      while let message = try client.message() {
        let state = try VarlinkReply(decoding: message.utf8).decode(ControlInterface.Set.Reply.self).state
        if state.sequence > last.sequence { last = (state.sequence, state.value) }
      }
    }
    #expect(try value(in: daemon.folder) == last.value)
  }
}

extension WireClient {
  /// All messages up to the end of the connection.
  fileprivate func messageOrEnd() throws -> [String] {
    var messages: [String] = []
    while let message = try message() { messages.append(message) }
    return messages
  }
}
