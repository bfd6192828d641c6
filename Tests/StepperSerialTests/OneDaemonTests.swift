import StepperClient
import StepperInterfaces
import StepperLinux
import StepperProgram
import TestSupport
import Testing
import Varlink

/// All connections of a program go to one daemon, whichever others come later.
@Suite struct OneDaemonTests {
  /// The system's daemon is there, the user's comes later.
  private let system: PeerListener
  private let user: StepperAddress
  private let choice: AddressChoice

  init() throws {
    system = try PeerListener()
    user = StepperAddress("\(try PeerListener.newDirectory())/org.stepperd")
    choice = AddressChoice([user, StepperAddress(system.path)])
  }

  @Test func `calls go to the daemon whose states are followed`() throws {
    let loop = try EventLoop()
    let daemon = FollowedDaemon<Int>(
      on: loop, at: choice, match: nil, followed: { _ in }, answered: { _, _ in })
    daemon.advance(to: loop.now)
    _ = try system.accept().expect(ControlInterface.Subscribe.self)
    let other = try PeerListener(at: user.path)
    daemon.make(try VarlinkCall(ControlInterface.Get.self, .init(control: "volume")), 1)
    _ = try system.accept().expect(ControlInterface.Get.self)
    withExtendedLifetime(other) {}
  }

  @Test func `orders come from the daemon that a device is attached to`() throws {
    let loop = try EventLoop()
    let provider = ProviderConnection(on: loop, to: choice) { _ in }
    provider.make(.attach(.init(identity: .init(provider: "x", name: "y"), keys: ["BTN_0"])), for: 0)
    _ = try system.accept().expect(ProviderInterface.Attach.self)
    let other = try PeerListener(at: user.path)
    let orders = OrderChannel(on: loop, to: choice) { _ in }
    _ = orders.follow("h")
    orders.advance(to: loop.now)
    #expect(try system.accept().expect(ProviderInterface.Subscribe.self).handles == ["h"])
    withExtendedLifetime(other) {}
  }
}
