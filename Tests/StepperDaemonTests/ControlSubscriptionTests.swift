import StepperCore
import Testing

@testable import StepperDaemon

@MainActor @Suite struct ControlSubscriptionTests {
  private let volume = ControlID(0, generation: 0)
  private let balance = ControlID(1, generation: 0)

  @Test func `the first reply is a snapshot of everything`() {
    var subscription = ControlSubscription()
    #expect(subscription.due != nil)
    let reply = subscription.take(at: .milliseconds(0))
    #expect(reply == .init(controls: nil, coalesced: 0))
    #expect(subscription.due == nil)
    let nextReply = subscription.take(at: .milliseconds(1))
    #expect(nextReply == nil)
  }

  @Test func `a slow reader gets the last state, and is told what it missed`() {
    var subscription = ControlSubscription()
    _ = subscription.take(at: .milliseconds(0))
    for _ in 0..<1_000 { subscription.note(volume) }
    subscription.note(balance)
    let reply = subscription.take(at: .milliseconds(9))
    #expect(reply == .init(controls: [volume, balance], coalesced: 999))
  }

  @Test func `changes before the snapshot went out are in it`() {
    var subscription = ControlSubscription()
    subscription.note(volume)
    subscription.note(volume)
    let reply = subscription.take(at: .milliseconds(0))
    #expect(reply == .init(controls: nil, coalesced: 2))
    #expect(subscription.due == nil)
  }

  @Test func `with a minimum interval the first change comes at once and the last one surely`() {
    var subscription = ControlSubscription(minimumInterval: .milliseconds(100))
    _ = subscription.take(at: .milliseconds(0))
    subscription.note(volume)
    #expect(subscription.due == .milliseconds(100))
    let reply = subscription.take(at: .milliseconds(99))
    #expect(reply == nil)
    subscription.note(volume)
    let nextReply = subscription.take(at: .milliseconds(100))
    #expect(nextReply == .init(controls: [volume], coalesced: 1))
    subscription.note(volume)
    #expect(subscription.due == .milliseconds(200))
  }

  @Test func `resuming begins with what changed since`() {
    var subscription = ControlSubscription(resuming: [balance])
    let reply = subscription.take(at: .milliseconds(0))
    #expect(reply == .init(controls: [balance], coalesced: 0))
    var upToDate = ControlSubscription(resuming: [])
    let nextReply = upToDate.take(at: .milliseconds(0))
    #expect(nextReply == .init(controls: [], coalesced: 0), "which shows that it has resumed")
    #expect(upToDate.due == nil)
  }

  @Test func `another set of controls means another snapshot`() {
    var subscription = ControlSubscription()
    _ = subscription.take(at: .milliseconds(0))
    subscription.note(volume)
    subscription.restart()
    let reply = subscription.take(at: .milliseconds(1))?.controls
    #expect(reply == nil)
  }
}
