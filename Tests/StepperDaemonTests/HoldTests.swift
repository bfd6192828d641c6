import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// The same rules as the timelines, but with the real clock and the real socket.
@Suite(.timeLimit(.minutes(10)))
struct HoldTests {
  @Test func `a button held by a connection repeats, and each repeat has its own time`() throws {
    let daemon = try RunningDaemon()
    let (follower, panel) = (try daemon.client(), try daemon.client())
    try follower.subscribe()
    _ = try follower.next()
    try panel.press()
    // A daemon that is late tells several repeats at once, with the time of the last.
    var times: [Int: Int64] = [:]
    while times[8] == nil, times.keys.max() ?? 0 < 20 {
      for state in try follower.next().states { times[Int(state.value ?? 0)] = state.monotonicMicroseconds }
    }
    try panel.release()
    let schedule = [0, 500, 1_000, 1_500, 2_000, 2_100, 2_200, 2_300, 2_400, 2_500, 2_600, 2_700, 2_800]
    let pressed = try #require(times[1])
    // One that stood still does not make up for it: from then on all is later.
    let isPunctual = try panel.call(ManagerInterface.GetStatus.self, .init()).stalls == 0
    for (value, time) in times where schedule.indices.contains(value - 1) {
      let milliseconds = (time - pressed) / 1_000
      #expect(isPunctual ? milliseconds == schedule[value - 1] : milliseconds >= schedule[value - 1])
    }
  }

  @Test func `a button of a device that is not virtual for a while is up`() throws {
    let virtual = "[device.panel]\nvirtual = true\n[control.volume]\nincrement = \"panel:plus\"\n"
    let daemon = try RunningDaemon(virtual)
    let (holder, other) = (try daemon.client(), try daemon.client())
    try holder.press()
    for text in ["[device.panel]\nmatch = { name = \"none\" }\n[control.volume]\n", virtual] {
      try daemon.folder.write(text, to: "stepperd.toml")
      try other.call(ManagerInterface.Reload.self, NoParameters())
    }
    let value = try other.state().value
    try other.press()
    #expect(try other.state().value == value.map { $0 + 1 })
  }

  @Test func `a held button belongs to its connection`() throws {
    let daemon = try RunningDaemon(Self.quick)
    let follower = try daemon.client()
    try follower.subscribe()
    _ = try follower.next()
    var panel: WireClient? = try daemon.client()
    try panel?.press("push")
    try follower.values { $0.pressed }
    panel = nil
    try follower.values { !$0.pressed }
    #expect(try daemon.client().state().presses == 1)
  }

  @Test func `a held button is released when its lease has passed, unless it is pressed again`() throws {
    let daemon = try RunningDaemon(Self.quick)
    let (follower, panel) = (try daemon.client(), try daemon.client())
    try follower.subscribe()
    _ = try follower.next()
    for lease in [10_000, 100] as [Int64] {
      try panel.call(
        DeviceInterface.Press.self, .init(device: "panel", input: "push", leaseMilliseconds: lease))
    }
    try follower.values { $0.pressed }
    try follower.values { !$0.pressed }
    #expect(try daemon.client().state().presses == 1)
  }

  @Test func `two connections may hold the same button`() throws {
    let daemon = try RunningDaemon(Self.quick)
    let (first, second) = (try daemon.client(), try daemon.client())
    try first.press("push")
    try second.press("push")
    try first.release("push")
    #expect(try first.state().pressed)
    try second.release("push")
    let state = try first.state()
    #expect(!state.pressed && state.presses == 1)
  }

  @Test func `a click releases itself`() throws {
    let daemon = try RunningDaemon(Self.quick)
    let (follower, panel) = (try daemon.client(), try daemon.client())
    try follower.subscribe()
    _ = try follower.next()
    let click = DeviceInterface.Click.Parameters(device: "panel", input: "push", milliseconds: 30)
    try panel.call(DeviceInterface.Click.self, click)
    var states: [ControlInterface.State] = []
    while states.count < 2 { states += try follower.next().states }
    #expect(states.map(\.pressed) == [true, false])
    let held = states[1].monotonicMicroseconds - states[0].monotonicMicroseconds
    #expect(held >= 30_000)
  }

  @Test func `the hold ends at the limit`() throws {
    let daemon = try RunningDaemon(Self.quick)
    let (follower, panel) = (try daemon.client(), try daemon.client())
    try follower.subscribe()
    _ = try follower.next()
    try panel.press()
    let values = try follower.values { $0.limit == .maximum }
    #expect(values.last == 5)
    #expect(!follower.hasMessage(within: 0.1), "ten times the interval")
  }

  @Test func `a fader goes where it is moved`() throws {
    let daemon = try RunningDaemon(Self.quick)
    let panel = try daemon.client()
    for (position, value) in [(1.0, 5.0), (0.5, 3.0), (0.0, 0.0)] {
      try panel.call(DeviceInterface.Move.self, .init(device: "panel", input: "fader", position: position))
      #expect(try panel.state().value == value)
    }
  }

  static let quick = """
    [device.panel]
    virtual = true
    [control.volume]
    maximum = 5
    increment = "panel:plus"
    absolute = "panel:fader"
    push = "panel:push"
    repeat = { delay = "20ms", interval = "10ms" }
    """
}
