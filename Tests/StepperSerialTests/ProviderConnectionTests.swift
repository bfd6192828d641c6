import StepperClient
import StepperInterfaces
import StepperLinux
import StepperProgram
import TestSupport
import Testing
import Varlink

/// The connection of a program's devices.
@Suite struct ProviderConnectionTests {
  private static let declaration = ProviderInterface.Attach.Parameters(
    identity: .init(provider: "x", name: "y"), keys: ["BTN_0"])

  private final class Events {
    var all: [String] = []
  }

  private func connection(to path: String, on loop: EventLoop, _ events: Events) -> ProviderConnection {
    ProviderConnection(on: loop, to: AddressChoice(explicit: path)) { event in
      switch event {
      case .answered(let place, let answer): events.all.append("\(place) \(answer)")
      case .absent(let error): events.all.append("absent: \(error.line)")
      case .ended: events.all.append("ended")
      }
    }
  }

  @Test func `a daemon that is not there is told with the address and the reason`() throws {
    let (loop, events) = (try EventLoop(), Events())
    let connection = connection(to: "/nonexistent/org.stepperd", on: loop, events)
    connection.make(.attach(Self.declaration), for: 0)
    connection.advance(to: loop.now)
    #expect(events.all.count == 2 && events.all.last == "0 absent", "\(events.all)")
    #expect(events.all.first?.contains("/nonexistent/org.stepperd") == true, "\(events.all)")
  }

  @Test func `a daemon whose reply is not understood is told as absent, with the reason`() throws {
    let listener = try PeerListener()
    let (loop, events) = (try EventLoop(), Events())
    let connection = connection(to: listener.path, on: loop, events)
    connection.make(.attach(Self.declaration), for: 0)
    let peer = try listener.accept()
    _ = try peer.expect(ProviderInterface.Attach.self)
    try peer.reply(ProviderInterface.Report.self, .init())
    try loop.run { now in
      connection.advance(to: now)
      if !events.all.isEmpty { loop.stop() }
      return connection.deadline
    }
    #expect(events.all.first?.hasPrefix("absent: ") == true && events.all.last == "0 absent", "\(events.all)")
  }

  @Test func `its end is told once, also without a call`() throws {
    let listener = try PeerListener()
    let (loop, events) = (try EventLoop(), Events())
    let connection = connection(to: listener.path, on: loop, events)
    for round in 1...2 {
      events.all = []
      connection.make(.attach(Self.declaration), for: 0)
      connection.make(.attach(Self.declaration), for: 1)
      let peer = try listener.accept()
      for _ in 0..<2 {
        _ = try peer.expect(ProviderInterface.Attach.self)
        try peer.reply(ProviderInterface.Attach.self, .init(handle: "h\(round)", device: "y"))
      }
      peer.close()
      try loop.run { now in
        connection.advance(to: now)
        if events.all.last == "ended" { loop.stop() }
        return connection.deadline
      }
      #expect(
        events.all == ["0 attached(handle: \"h\(round)\")", "1 attached(handle: \"h\(round)\")", "ended"])
    }
  }
}
