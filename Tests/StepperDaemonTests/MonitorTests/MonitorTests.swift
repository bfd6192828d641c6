import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// `org.stepperd.device.Monitor` on simulated devices.
@Suite(.enabled(if: MockBed.isAvailable, "needs the Debian package umockdev"), .timeLimit(.minutes(10)))
struct MonitorTests {
  private let bed: MonitorBed

  init() throws { bed = try MonitorBed() }

  // MARK: Which devices

  @Test func `without parameters it watches used devices, and opens no others`() throws {
    let watcher = try bed.monitor()
    #expect(watcher.first.devices.map(\.device) == ["knob", "panel"])
    #expect(watcher.first.frames.isEmpty && watcher.first.removed.isEmpty && watcher.first.dropped == 0)
    #expect(bed.opens("event6", 0))
    try bed.bed("emit event5 REL_DIAL=2")
    try bed.bed("emit event5 BTN_0=1")
    try bed.client().turn(-3)
    #expect(try watcher.frames(3) == ["knob REL_DIAL=2", "knob BTN_0=1", "panel REL_DIAL=-3"])
    // The daemon uses what it reads, as without a watcher.
    #expect(try bed.client().state().value == 0)
  }

  @Test func `a device says what it is and has`() throws {
    let watcher = try bed.monitor(unused: true)
    let device = try #require(watcher.first.devices.first { $0.device == "event6" })
    #expect(device.name == "Other Knob" && device.node == "/dev/input/event6")
    #expect(device.vendor == "0a0b" && device.product == "2303" && device.bus == 3)
    #expect(device.links == ["/dev/input/by-path/other"])
    #expect(device.properties["DEVLINKS"] == "/dev/input/by-path/other")
    #expect(device.codes == ["BTN_1", "REL_X", "ABS_X"])
    #expect(
      device.axes == [
        .init(code: "ABS_X", minimum: 0, maximum: 1023, fuzz: 0, flat: 0, resolution: 0, value: 17)
      ])
    #expect(!device.generalPurpose && device.problem == nil && device.keysDown.isEmpty)
    let panel = try #require(watcher.first.devices.first { $0.device == "panel" })
    #expect(panel.node.isEmpty && panel.codes.contains("REL_DIAL") && panel.axes.map(\.maximum) == [1000])
  }

  @Test func `an unused device is open only while it is watched, and moves nothing`() throws {
    var one: Watcher? = try bed.monitor(unused: true)
    var two: Watcher? = try bed.monitor(["event6"])
    #expect(one?.names == ["knob", "panel", "event6"] && two?.names == ["event6"])
    #expect(bed.opens("event6", 1))
    #expect(try bed.bed("state event6").contains("grabbed=no"))
    try bed.bed("emit event6 REL_X=5 BTN_1=1")
    #expect(try one?.frames() == ["event6 REL_X=5 BTN_1=1"])
    #expect(try two?.frames() == ["event6 REL_X=5 BTN_1=1"])
    one = nil
    try bed.bed("emit event6 REL_X=1")
    #expect(try two?.frames() == ["event6 REL_X=1"])
    #expect(bed.opens("event6", 1))
    // The key is still down.
    #expect(try bed.monitor(["event6"]).first.devices.map(\.keysDown) == [["BTN_1"]])
    two = nil
    #expect(bed.opens("event6", 0))
    let devices = try bed.client().call(DeviceInterface.List.self, NoParameters()).devices
    #expect(devices.first { $0.device == "event6" }?.state == .unused)
    #expect(try bed.client().state().value == 0)
  }

  @Test func `a pattern watches unused devices only on request`() throws {
    #expect(try bed.monitor(["event*"]).first.devices.isEmpty)
    #expect(try bed.monitor(["event*"], unused: true).names == ["event6"])
    #expect(try bed.monitor(["nothing"]).first.devices.isEmpty)
  }

  @Test func `a keyboard is watched only with keyboards`() throws {
    for match in [nil, ["event7"], ["*"]] {
      let watcher = try bed.monitor(match, unused: true)
      let keyboard = try #require(watcher.first.devices.first { $0.device == "event7" })
      #expect(keyboard.generalPurpose && keyboard.problem?.contains("keyboard") == true)
      #expect(bed.opens("event7", 0))
    }
    let watcher = try bed.monitor(["event7"], keyboards: true)
    #expect(watcher.names == ["event7"])
    try bed.bed("emit event7 KEY_A=1")
    #expect(try watcher.frames() == ["event7 KEY_A=1"])
  }

  @Test func `a keyboard that a table uses is watched only with keyboards, too`() throws {
    try bed.write(
      "[device.keys]\nmatch = { name = \"Keyboard\" }\n[control.volume]\nincrement = \"keys:KEY_A\"")
    try bed.client().call(ManagerInterface.Reload.self, NoParameters())
    let (one, two) = (try bed.monitor(), try bed.monitor(keyboards: true))
    #expect(one.names == [] && one.first.devices.map(\.device) == ["keys"] && two.names == ["keys"])
    try bed.bed("emit event7 KEY_A=1")
    #expect(try two.frames() == ["keys KEY_A=1"])
    // What is down on it is not said either.
    #expect(try bed.monitor().first.devices.map(\.keysDown) == [[]])
    #expect(try bed.monitor(keyboards: true).first.devices.map(\.keysDown) == [["KEY_A"]])
    #expect(!one.client.hasMessage(within: 0.1))
  }

  // MARK: Coming and going

  @Test func `devices come and go while it watches`() throws {
    let watcher = try bed.monitor(unused: true)
    try bed.bed("add event8 'name=Late' REL_WHEEL")
    #expect(try watcher.device("event8").codes == ["REL_WHEEL"])
    try bed.bed("emit event8 REL_WHEEL=1")
    #expect(try watcher.frames() == ["event8 REL_WHEEL=1"])
    try bed.bed("remove event8")
    try watcher.removal(of: "event8")
    try bed.bed("remove event5")
    try watcher.removal(of: "knob")
    try bed.bed("add event5 'name=Test Knob' REL_DIAL")
    #expect(try watcher.device("knob").problem == nil)
    try bed.bed("emit event5 REL_DIAL=1")
    #expect(try watcher.frames() == ["knob REL_DIAL=1"])
  }

  @Test func `an unused device that dies without a word is said, and watched again when it is back`() throws {
    let watcher = try bed.monitor(["event6"])
    try bed.bed("unplug event6")
    #expect(try watcher.device("event6") { $0.problem != nil }.problem?.contains("no longer exists") == true)
    try bed.bed("remove event6")
    try watcher.removal(of: "event6")
    try bed.bed("add event6 'name=Other Knob' REL_X")
    #expect(try watcher.device("event6").problem == nil)
    try bed.bed("emit event6 REL_X=1")
    #expect(try watcher.frames() == ["event6 REL_X=1"])
    #expect(try bed.client().call(ManagerInterface.GetStatus.self, NoParameters()).problems.isEmpty)
  }

  @Test func `a device without permission is said with the remedy, and watched when it may be`() throws {
    try bed.bed("deny event6")
    let watcher = try bed.monitor(unused: true)
    let problem = watcher.first.devices.first { $0.device == "event6" }?.problem
    #expect(problem?.contains("udev rule") == true, "\(problem ?? "none")")
    // It concerns who watches, and not the daemon.
    #expect(try bed.client().call(ManagerInterface.GetStatus.self, NoParameters()).problems.isEmpty)
    try bed.bed("allow event6")
    try bed.bed("change event6")
    #expect(try watcher.device("event6") { $0.problem == nil }.codes.count == 3)
    try bed.bed("emit event6 REL_X=1")
    #expect(try watcher.frames() == ["event6 REL_X=1"])
  }

  @Test func `a reload may take a watched device and give it back`() throws {
    let watcher = try bed.monitor(unused: true)
    try bed.write(MonitorBed.configuration + "\n[device.other]\nmatch = { name = \"Other Knob\" }")
    try bed.client().call(ManagerInterface.Reload.self, NoParameters())
    let reply = try watcher.next()
    #expect(reply.removed == ["event6"] && reply.devices.contains { $0.device == "other" })
    #expect(bed.opens("event6", 1))
    try bed.bed("emit event6 REL_X=1")
    #expect(try watcher.frames() == ["other REL_X=1"])
    try bed.write(MonitorBed.configuration)
    try bed.client().call(ManagerInterface.Reload.self, NoParameters())
    try watcher.removal(of: "other")
    try bed.bed("emit event6 REL_X=2")
    #expect(try watcher.frames() == ["event6 REL_X=2"])
  }

  // MARK: Frames

  @Test func `after lost events a frame has the state of the device`() throws {
    let watcher = try bed.monitor(unused: true)
    try bed.bed("lose event6 BTN_1=1 ABS_X=900")
    try bed.bed("lose event5 BTN_0=1")
    var frames: [DeviceInterface.Frame] = []
    while frames.count < 2 { frames += try watcher.next().frames }
    #expect(frames.map(\.resynchronized) == [true, true])
    #expect(frames.map(\.device) == ["event6", "knob"])
    #expect(frames[0].events == [.init(code: "BTN_1", value: 1), .init(code: "ABS_X", value: 900)])
    #expect(frames[1].events == [.init(code: "BTN_0", value: 1)])
  }

  @Test func `frames that were read before a device was opened again are not lost`() throws {
    let bed = try MonitorBed(
      MonitorBed.configuration, ["add event5 'name=Test Knob' REL_DIAL LED_MUTE", "readonly event5"])
    let watcher = try bed.monitor()
    try bed.bed("signal STOP")
    try bed.bed("emit event5 REL_DIAL=1")
    try bed.bed("emit event5 REL_DIAL=2")
    // It may be written from now on, for which it is opened again in the wakeup that reads the frames.
    try bed.bed("allow event5")
    try bed.bed("change event5")
    try bed.bed("signal CONT")
    #expect(try watcher.frames(2) == ["knob REL_DIAL=1", "knob REL_DIAL=2"])
    try bed.bed("emit event5 REL_DIAL=3")
    #expect(try watcher.frames() == ["knob REL_DIAL=3"])
  }

  @Test func `a light of a device that may not be written to is not said to be missing`() throws {
    let bed = try MonitorBed(
      MonitorBed.configuration + "\nlight = \"knob:LED_MUTE\"\n",
      ["add event5 'name=Test Knob' REL_DIAL LED_MUTE", "readonly event5"])
    let problems = try bed.client().call(ManagerInterface.GetStatus.self, NoParameters()).problems
    #expect(problems.count == 1 && !problems[0].contains("no light"), "\(problems)")
  }
}
