import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// The real daemon on simulated devices: real libevdev and libudev, faked kernel.
@Suite(.enabled(if: MockBed.isAvailable, "needs the Debian package umockdev"), .timeLimit(.minutes(10)))
struct DeviceTests {
  private static func control(_ bindings: String, device: String = "") -> String {
    """
    [device.knob]
    match = { name = "Test *" }
    \(device)
    [control.volume]
    \(bindings)
    """
  }

  /// A frame, and the value it leads to; nil: it changes nothing yet.
  typealias Step = (frame: String, value: Double?)

  static let kinds: [(capabilities: String, binding: String, steps: [Step])] = [
    ("REL_DIAL BTN_0", "rotate = \"knob:REL_DIAL\"", [("REL_DIAL=7", 7), ("REL_DIAL=-2", 5)]),
    ("REL_X", "rotate = \"knob:REL_X\"", [("REL_X=1", 1), ("REL_X=1", 2), ("REL_X=-1", 1)]),
    (
      "REL_WHEEL REL_WHEEL_HI_RES", "rotate = \"knob:REL_WHEEL\"",
      [
        ("REL_WHEEL_HI_RES=120 REL_WHEEL=1", 1), ("REL_WHEEL_HI_RES=60", nil),
        ("REL_WHEEL_HI_RES=60 REL_WHEEL=1", 2),
      ]
    ),
    ("ABS_X=0:1023", "absolute = \"knob:ABS_X\"", [("ABS_X=1023", 100), ("ABS_X=512", 50)]),
    (
      "KEY_VOLUMEUP KEY_VOLUMEDOWN",
      "increment = \"knob:KEY_VOLUMEUP\"\ndecrement = \"knob:KEY_VOLUMEDOWN\"",
      [
        ("KEY_VOLUMEUP=1", 1), ("KEY_VOLUMEUP=0", nil), ("KEY_VOLUMEUP=1", 2), ("KEY_VOLUMEUP=0", nil),
        ("KEY_VOLUMEDOWN=1", 1),
      ]
    ),
  ]

  @Test(arguments: kinds.indices)
  func `every kind of stepper moves its control`(_ index: Int) throws {
    let (capabilities, binding, steps) = Self.kinds[index]
    let setting = try DeviceSetting(Self.control(binding), ["add event5 'name=Test Device' \(capabilities)"])
    let follower = try setting.follower()
    var former: Double?
    for (frame, value) in steps {
      try setting.bed("emit event5 \(frame)")
      guard let value else { continue }
      // The end of a gesture is told too, with the value there was.
      let values = try follower.values { $0.value == value }
      #expect(values.allSatisfy { $0 == value || $0 == former }, "after \(frame)")
      former = value
    }
  }

  @Test func `a device that comes later is taken, and what it held is released when it goes`() throws {
    let setting = try DeviceSetting(
      Self.control(
        "increment = \"knob:KEY_VOLUMEUP\"\nmaximum = 100000\nrepeat = { delay = \"30ms\", interval = \"10ms\" }"
      ),
      [])
    let follower = try setting.follower()
    #expect(try setting.device("knob")?.state == .absent)
    try setting.bed("add event5 'name=Test Keys' KEY_VOLUMEUP")
    try follower.values { $0.live }
    try setting.bed("emit event5 KEY_VOLUMEUP=1")
    try follower.values { ($0.value ?? 0) > 3 }
    try setting.bed("remove event5")
    try follower.values { !$0.live }
    let value = try setting.client().state().value
    // Plugged in again, with the button still down as far as the device knows: nobody has pressed it anew.
    try setting.bed("add event5 'name=Test Keys' KEY_VOLUMEUP")
    try follower.values { $0.live }
    #expect(try setting.client().state().value == value)
    try setting.bed("emit event5 KEY_VOLUMEUP=1")
    try follower.values { $0.value != value }
    let device = try setting.device("knob")
    #expect(device?.connects == 2 && device?.state == .open)
    // That it was unplugged is no problem.
    for _ in 1...2 { try setting.bed.line("knob is Test Keys") }
    #expect(!setting.bed.output.contains { $0.contains("no longer exists") })
  }

  @Test func `a device that dies without a word is lost, and found again`() throws {
    let setting = try DeviceSetting(
      Self.control("rotate = \"knob:REL_DIAL\""), ["add event5 'name=Test Dial' REL_DIAL"])
    let follower = try setting.follower()
    try setting.bed("unplug event5")
    try follower.values { !$0.live }
    #expect(try setting.device("knob")?.state == .absent)
    try setting.bed.line("is lost")
  }

  @Test func `two devices of one name both drive the control`() throws {
    let setting = try DeviceSetting(
      Self.control("rotate = \"knob:REL_DIAL\""),
      ["add event5 'name=Test Dial' phys=usb-1 REL_DIAL", "add event6 'name=Test Dial' phys=usb-2 REL_DIAL"])
    let follower = try setting.follower()
    try setting.bed("emit event5 REL_DIAL=1")
    try setting.bed("emit event6 REL_DIAL=1")
    try follower.values { $0.value == 2 }
    let names = try setting.client().call(DeviceInterface.List.self, NoParameters()).devices.map(\.device)
    #expect(names == ["knob", "knob:2"])
    try setting.bed("remove event5")
    #expect(try setting.client().state().live)
  }

  @Test func `a device without permission is said, with what to do, and taken when it may be`() throws {
    let setting = try DeviceSetting(
      Self.control("rotate = \"knob:REL_DIAL\""), ["add event5 'name=Test Dial' REL_DIAL", "deny event5"])
    let follower = try setting.follower()
    let device = try setting.device("knob")
    #expect(device?.state == .denied)
    #expect(device?.problem?.contains("udev rule") == true, "\(device?.problem ?? "no problem")")
    let status = try setting.client().call(ManagerInterface.GetStatus.self, NoParameters())
    #expect(status.problems.count == 1)
    try setting.bed("allow event5")
    try setting.bed("change event5")
    try follower.values { $0.live }
    #expect(try setting.device("knob")?.state == .open)
    #expect(try setting.device("knob")?.problem == nil)
  }

  @Test func `a permission that nobody tells of is noticed all the same`() throws {
    let setting = try DeviceSetting(
      Self.control("rotate = \"knob:REL_DIAL\""), ["add event5 'name=Test Dial' REL_DIAL", "deny event5"])
    let follower = try setting.follower()
    try setting.bed("allow event5")
    try follower.values { $0.live }
  }

  @Test func `a device that another program has grabbed is busy, and taken when it is free`() throws {
    let setting = try DeviceSetting(
      Self.control("rotate = \"knob:REL_DIAL\"", device: "grab = true"),
      ["add event5 'name=Test Dial' REL_DIAL", "grab event5"])
    let follower = try setting.follower()
    #expect(try setting.device("knob")?.state == .busy)
    try setting.bed("ungrab event5")
    try follower.values { $0.live }
    #expect(try setting.device("knob")?.state == .grabbed)
    try setting.bed("emit event5 REL_DIAL=3")
    try follower.values { $0.value == 3 }
  }

  @Test func `a release that was lost ends the hold`() throws {
    let setting = try DeviceSetting(
      Self.control(
        "increment = \"knob:KEY_VOLUMEUP\"\nmaximum = 100000\nrepeat = { delay = \"30ms\", interval = \"10ms\" }"
      ),
      ["add event5 'name=Test Keys' KEY_VOLUMEUP"])
    let follower = try setting.follower()
    try setting.bed("emit event5 KEY_VOLUMEUP=1")
    try follower.values { ($0.value ?? 0) > 2 }
    try setting.bed("lose event5 KEY_VOLUMEUP=0")
    try setting.bed.line("dropped events")
    #expect(try setting.device("knob")?.overruns == 1)
    let last = try setting.client().state()
    try follower.catchUp(with: last)
    // Ten times the interval: a hold that goes on would have shown.
    #expect(!follower.hasMessage(within: 0.1))
    #expect(try setting.client().state() == last)
  }

  @Test func `without a file it takes knobs, and no keyboards`() throws {
    let configuration = try TemporaryFolder.contents(ofSource: "Sources/StepperConfiguration/default.toml")
    let setting = try DeviceSetting(
      configuration,
      [
        "add event5 'name=Griffin PowerMate' vendor=077d product=0410 REL_DIAL BTN_0",
        "add event6 'name=rotary@4' REL_X", "add event7 'name=gpio-keys' KEY_VOLUMEUP KEY_VOLUMEDOWN",
        "add event8 'name=Keyboard' property:ID_INPUT=1 property:ID_INPUT_KEYBOARD=1 KEY_A KEY_VOLUMEUP KEY_VOLUMEDOWN REL_DIAL",
        "add event9 'name=Mouse' property:ID_INPUT=1 property:ID_INPUT_MOUSE=1 REL_X REL_Y REL_WHEEL BTN_LEFT",
      ])
    let devices = try setting.client().call(DeviceInterface.List.self, NoParameters()).devices
    let states = devices.map { "\($0.device) \($0.state)" }
    #expect(
      states == ["panel open", "knob open", "buttons open", "knob:2 open", "event8 unused", "event9 unused"])
  }
}
