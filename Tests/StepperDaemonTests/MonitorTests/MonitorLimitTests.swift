import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// What clients that watch may cost, and what devices that are watched may.
@Suite(.enabled(if: MockBed.isAvailable, "needs the Debian package umockdev"), .timeLimit(.minutes(10)))
struct MonitorLimitTests {
  private static let most: Int64 = 256

  @Test(arguments: ["event5", "event6"])
  func `a client that does not read keeps the newest frames, and is said how many were lost`(_ node: String)
    throws
  {
    let bed = try MonitorBed()
    let (slow, quick) = (try bed.monitor(unused: true), try bed.monitor(unused: true))
    let (count, code) = (3_000, node == "event5" ? "REL_DIAL" : "REL_X")
    // Its socket takes some replies, the daemon keeps as many frames as it may, and the last one is among them.
    var seen = 0
    for part in 1...3 {
      try bed.bed(
        "burst \(node) \(count / 3) \(Array(repeating: "\(code)=1", count: 40).joined(separator: " "))")
      while seen + Int(quick.dropped) < part * count / 3 { seen += try quick.next().frames.count }
    }
    try bed.bed("emit \(node) \(code)=77")
    var frames: [DeviceInterface.Frame] = []
    while frames.last?.events.last?.value != 77 { frames += try slow.next().frames }
    #expect(Int64(frames.count) + slow.dropped == count + 1)
    #expect(slow.dropped > 0)
    let times = frames.map(\.monotonicMicroseconds)
    #expect(times == times.sorted())
  }

  @Test func `a frame with more events than a reply has room for is counted as lost`() throws {
    let bed = try MonitorBed()
    let watcher = try bed.monitor()
    try bed.bed("flood event5 1000 REL_DIAL=1")
    #expect(try watcher.next().frames.map(\.events.count) == [1000])
    #expect(watcher.dropped == 0)
  }

  @Test func `a storm of an unused device is throttled, and a knob is watched meanwhile`() throws {
    let bed = try MonitorBed()
    let (watcher, follower) = (try bed.monitor(unused: true), try bed.client())
    try follower.subscribe()
    _ = try follower.next()
    _ = try bed.bed.storm("event6", with: "REL_X=1")
    try bed.bed("emit event5 REL_DIAL=1")
    try follower.values { $0.value == 1 }
    var count = 0
    var hasKnob = false
    while !hasKnob || count == 0 {
      for frame in try watcher.next().frames {
        if frame.device == "knob" { hasKnob = true } else { count += 1 }
      }
      count += Int(watcher.dropped)
    }
    try bed.bed.line("the storm of events ended")
  }

  @Test func `watchers that go in the middle of a storm leave nothing open`() throws {
    let bed = try MonitorBed()
    for _ in 1...20 {
      let watchers = try (1...3).map { _ in try bed.monitor(unused: true, keyboards: true) }
      try bed.bed("burst event6 20 REL_X=1")
      #expect(watchers.allSatisfy { $0.first.devices.count == 4 })
    }
    #expect(bed.opens("event6", 0) && bed.opens("event7", 0))
    try bed.bed("emit event5 REL_DIAL=1")
    #expect(Deadline().wait { (try? bed.client().state().value) == 1 })
    let subscriptions = try bed.client().call(ManagerInterface.GetStatus.self, NoParameters()).subscriptions
    #expect(subscriptions == 0)
  }

  @Test func `so many unused devices are open at once, and the others say so`() throws {
    let bed = try MonitorBed(
      MonitorBed.configuration, (10...50).map { "add event\($0) 'name=Device \($0)' REL_X" })
    var first: Watcher? = try bed.monitor(unused: true)
    let devices = first?.first.devices.filter { $0.device != "panel" } ?? []
    #expect(devices.count == 41)
    #expect(devices.prefix(32).allSatisfy { $0.problem == nil })
    #expect(devices.dropFirst(32).allSatisfy { $0.problem?.contains("32 unused devices") == true })
    // A place that becomes free is taken.
    let second = try bed.monitor(["event50"])
    #expect(second.names == [])
    first = nil
    #expect(try second.device("event50") { $0.problem == nil }.name == "Device 50")
  }

  @Test func `clients that watch all they can leave the others their changes`() throws {
    let bed = try MonitorBed()
    let follower = try bed.client()
    try follower.subscribe()
    _ = try follower.next()
    // Nothing of theirs is read.
    let watchers = try (1...30).map { _ in try bed.monitor(unused: true) }
    try bed.bed("burst event6 500 REL_X=1 BTN_1=1 REL_X=1 BTN_1=0")
    try bed.bed("emit event5 REL_DIAL=3")
    try follower.values { $0.value == 3 }
    #expect(watchers.count == 30)
  }
}
