import StepperCore
import Testing
@testable import StepperMQTT

/// When the files of the bridge are read again.
@Suite("Files of the bridge are read again") struct ReloadTimeTests {
  private let start = Instant.milliseconds(1_000)

  @Test func `a second after the last change`() {
    var time = ReloadTime()
    time.changed(at: start)
    time.changed(at: start + .milliseconds(900))
    #expect(time.due == start + .milliseconds(1_900))
  }

  @Test func `within five seconds, whatever others write`() {
    var time = ReloadTime()
    for tenth in 0..<100 { time.changed(at: start + .milliseconds(100 * tenth)) }
    #expect(time.due == start + .seconds(5))
    time.due = nil
    time.changed(at: start + .seconds(10))
    #expect(time.due == start + .seconds(11))
  }
}
