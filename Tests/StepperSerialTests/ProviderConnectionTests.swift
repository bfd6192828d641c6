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

  @Test func `its end is told once, also without a call`() throws {
    let listener = try PeerListener()
    let (loop, events) = (try EventLoop(), Events())
    let connection = ProviderConnection(on: loop, to: [StepperAddress(listener.path)]) { event in
      switch event {
      case .answered(let place, let answer): events.all.append("\(place) \(answer)")
      case .late(let error): events.all.append("late: \(error)")
      case .ended: events.all.append("ended")
      }
    }
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
