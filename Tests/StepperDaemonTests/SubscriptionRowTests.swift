import StepperCore
import StepperLinux
import Testing

@testable import StepperDaemon

/// A row of the table of subscriptions, in virtual time.
@MainActor @Suite struct SubscriptionRowTests {
  private let volume = ControlID(0, generation: 0)
  private let balance = ControlID(1, generation: 0)

  private func row(
    minimumInterval: Duration = .zero, resuming changed: [ControlID]? = nil
  ) -> Subscription {
    Subscription(.devices, of: 1, minimumInterval: minimumInterval, resuming: changed)
  }

  @Test func `the first reply is a snapshot of everything`() {
    var subscription = row()
    #expect(subscription.due() != nil)
    let reply = subscription.take(at: .milliseconds(0))
    #expect(reply != nil && reply?.controls == nil && reply?.missed == 0)
    #expect(subscription.due() == nil)
    let nextReply = subscription.take(at: .milliseconds(1))
    #expect(nextReply == nil)
  }

  @Test func `a slow reader gets the last state, and is told what it missed`() {
    var subscription = row()
    _ = subscription.take(at: .milliseconds(0))
    for _ in 0..<1_000 { subscription.note(volume) }
    subscription.note(balance)
    let reply = subscription.take(at: .milliseconds(9))
    #expect(reply?.controls == [volume, balance] && reply?.missed == 999)
  }

  @Test func `a device that came and went between two replies is not kept`() {
    var subscription = row()
    _ = subscription.take(at: .milliseconds(0))
    subscription.noteDevice("midi-1", isThere: true)
    #expect(subscription.pendingDevices == ["midi-1"])
    subscription.noteDevice("midi-1", isThere: false)
    #expect(subscription.pendingDevices.isEmpty)
    subscription.reportedDevices = ["knob"]
    subscription.noteDevice("knob", isThere: false)
    #expect(subscription.pendingDevices == ["knob"])
  }

  @Test func `changes before the snapshot went out are in it`() {
    var subscription = row()
    subscription.note(volume)
    subscription.note(volume)
    let reply = subscription.take(at: .milliseconds(0))
    #expect(reply != nil && reply?.controls == nil && reply?.missed == 2)
    #expect(subscription.due() == nil)
  }

  @Test func `with a minimum interval the first change comes at once and the last one surely`() {
    var subscription = row(minimumInterval: .milliseconds(100))
    _ = subscription.take(at: .milliseconds(0))
    subscription.note(volume)
    #expect(subscription.due() == .milliseconds(100))
    let early = subscription.take(at: .milliseconds(99))
    #expect(early == nil)
    subscription.note(volume)
    let nextReply = subscription.take(at: .milliseconds(100))
    #expect(nextReply?.controls == [volume] && nextReply?.missed == 1)
    subscription.note(volume)
    #expect(subscription.due() == .milliseconds(200))
  }

  @Test func `resuming begins with what changed since`() {
    var subscription = row(resuming: [balance])
    let reply = subscription.take(at: .milliseconds(0))
    #expect(reply?.controls == [balance] && reply?.missed == 0)
    var upToDate = row(resuming: [])
    let nextReply = upToDate.take(at: .milliseconds(0))
    #expect(nextReply?.controls == [] && nextReply?.missed == 0, "which shows that it has resumed")
    #expect(upToDate.due() == nil)
  }

  @Test func `another set of controls means another snapshot`() {
    var subscription = row()
    _ = subscription.take(at: .milliseconds(0))
    subscription.note(volume)
    subscription.restart()
    let reply = subscription.take(at: .milliseconds(1))
    #expect(reply != nil && reply?.controls == nil)
  }
}
