import StepperClient
import StepperCore
import StepperInterfaces
import StepperLinux
import StepperProgram
import TestSupport
import Testing
import Varlink

/// The connections of a program that brings devices.
@Suite struct OrderChannelTests {
  @Test func `a daemon that is not there is asked with pauses, and its loss is told once`() throws {
    let loop = try EventLoop()
    let orders = OrderChannel(on: loop, to: AddressChoice(explicit: "/nonexistent/org.stepperd")) { _ in }
    #expect(!orders.follow("a"))
    var (now, losses, attempts) = (loop.now, 0, 0)
    let end = now + .seconds(60)
    while now < end {
      orders.advance(to: now)
      if orders.follow("a") { losses += 1 }
      attempts += 1
      let deadline = try #require(orders.deadline)
      #expect(deadline > now)
      now = max(deadline, now + .milliseconds(1))
    }
    #expect(losses == 1)
    #expect((30...40).contains(attempts), "\(attempts) in a minute")
    #expect(!orders.follow("b"), "of another device nothing was lost")
  }

  @Test func `a device has a connection, which is closed with it`() throws {
    let listener = try PeerListener()
    let loop = try EventLoop()
    let orders = OrderChannel(on: loop, to: AddressChoice(explicit: listener.path)) { _ in }
    for round in 0..<3 {
      _ = orders.follow("h\(round)")
      orders.advance(to: loop.now)
      let peer = try listener.accept()
      #expect(try peer.expect(ProviderInterface.Subscribe.self).handles == ["h\(round)"])
      _ = orders.follow(nil)
      try peer.expectClose()
    }
  }
}
