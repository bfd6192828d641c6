import TestSupport
import Testing

/// The real libevdev on a bed of devices.
@Suite(.enabled(if: MockBed.isAvailable, "needs umockdev, gir1.2-umockdev-1.0 and python3-gi"), .serialized)
struct EvdevDeviceTests {
  private let bed: MockBed

  init() throws { bed = try MockBed() }

  private func start(_ device: String, _ arguments: String...) throws {
    try bed("add event7 \(device)")
    try bed.start("input-probe", arguments.first ?? "")
    try bed.line("ready")
  }

  @Test func `a frame has all that happened at one time`() throws {
    try start("REL_DIAL BTN_0")
    try bed("emit event7 REL_DIAL=-7 BTN_0=1")
    try bed("emit event7 REL_DIAL=1")
    #expect(try bed.line("event7 ") == "frame /dev/input/event7 REL_DIAL=-7 BTN_0=1")
    #expect(try bed.line("event7 ") == "frame /dev/input/event7 REL_DIAL=1")
    #expect(try bed("state event7").hasPrefix("clock=monotonic grabbed=no"))
  }

  @Test func `a frame waits for its end`() throws {
    try start("REL_X")
    try bed("part event7 REL_X=1")
    try bed("part event7 REL_X=2")
    try bed("emit event7")
    #expect(try bed.line("event7 ") == "frame /dev/input/event7 REL_X=1 REL_X=2")
  }

  @Test(arguments: [
    ("REL_X", "REL_X=1"), ("KEY_VOLUMEUP KEY_VOLUMEDOWN", "KEY_VOLUMEUP=1"),
    ("REL_WHEEL REL_WHEEL_HI_RES", "REL_WHEEL=1 REL_WHEEL_HI_RES=120"), ("ABS_X=0:1023", "ABS_X=1023"),
    ("KEY_VOLUMEUP EV_REP", "KEY_VOLUMEUP=2"),
  ])
  func `every kind of stepper is read`(device: String, events: String) throws {
    try start(device)
    try bed("emit event7 \(events)")
    #expect(try bed.line("event7 ") == "frame /dev/input/event7 \(events)")
  }

  @Test func `a device that refuses the monotonic clock is stamped on arrival`() throws {
    try start("REL_DIAL quirk=realtime")
    #expect(bed.output.contains { $0.contains("monotonic=false") })
    try bed("emit event7 REL_DIAL=1")
    #expect(try bed.line("frame") == "frame /dev/input/event7 REL_DIAL=1")
    #expect(try bed("state event7").hasPrefix("clock=realtime"))
  }

  @Test func `an axis tells its range and where it stands`() throws {
    try start("ABS_X=-5:1023:17")
    #expect(bed.output.contains { $0.hasPrefix("opened") && $0.hasSuffix(" ABS_X=-5...1023@17") })
  }

  @Test func `a release that was lost is found by resynchronizing`() throws {
    try start("BTN_0 BTN_1 ABS_X=0:100")
    try bed("emit event7 BTN_0=1 BTN_1=1")
    try bed.line("frame /dev/input/event7 BTN_0=1 BTN_1=1")
    try bed("lose event7 BTN_0=0 ABS_X=50")
    #expect(try bed.line("event7 ") == "resync /dev/input/event7 BTN_0=0 ABS_X=50 down=[BTN_1] overruns=1")
    try bed("emit event7 BTN_1=0")
    #expect(try bed.line("event7 ") == "frame /dev/input/event7 BTN_1=0")
  }

  @Test func `what came before a loss is not lost with it`() throws {
    try start("BTN_0 REL_DIAL")
    try bed("part event7 BTN_0=1")
    try bed("lose event7")
    #expect(try bed.line("event7 ") == "frame /dev/input/event7 BTN_0=1")
    #expect(try bed.line("event7 ") == "resync /dev/input/event7 down=[BTN_0] overruns=1")
  }

  @Test func `a frame without end is cut and treated as loss`() throws {
    try start("REL_DIAL BTN_0")
    try bed("emit event7 BTN_0=1")
    try bed.line("frame")
    try bed("flood event7 3000 REL_DIAL=1")
    #expect(try bed.line("event7 ") == "resync /dev/input/event7 down=[BTN_0] overruns=1")
    try bed("emit event7 BTN_0=0")
    try bed.line("BTN_0=0")
  }

  @Test func `ends of frames that never began are read in pieces`() throws {
    try start("REL_DIAL")
    try bed("part event7 \(Array(repeating: "SYN_REPORT=0", count: 3_000).joined(separator: " "))")
    try bed("emit event7 REL_DIAL=1")
    #expect(try bed.line("event7") == "frame /dev/input/event7")
    #expect(try bed.line("event7") == "frame /dev/input/event7 REL_DIAL=1")
  }

  @Test func `a backlog of many frames loses nothing`() throws {
    try start("REL_DIAL")
    try bed("signal STOP")
    try bed("burst event7 1300 REL_DIAL=1")
    try bed("signal CONT")
    for _ in 1...1300 { #expect(try bed.line("event7 ") == "frame /dev/input/event7 REL_DIAL=1") }
  }

  @Test(arguments: [("unplug event7", 19), ("inject event7 read EIO", 5), ("tear event7 10", 22)])
  func `a device that cannot be read ends once`(command: String, error: Int) throws {
    try start("REL_DIAL")
    try bed("emit event7 REL_DIAL=1")
    try bed.line("frame")
    try bed(command)
    #expect(try bed.line("event7 ") == "ended /dev/input/event7 \(error) events=1 overruns=0")
    try bed("remove event7")
    try bed.line("removed /dev/input/event7")
    #expect(!bed.output.contains("said again"))
  }

  @Test func `a device that claims to have events and gives none ends instead of spinning`() throws {
    try start("REL_DIAL")
    try bed("inject event7 read eof")
    #expect(try bed.line("event7 ") == "ended /dev/input/event7 5 events=0 overruns=0")
    #expect(!bed.output.contains("busy loop"))
  }

  @Test func `a resynchronization that fails ends the device`() throws {
    try start("BTN_0")
    try bed("inject event7 EVIOCGKEY ENODEV")
    try bed("lose event7")
    #expect(try bed.line("event7 ") == "ended /dev/input/event7 19 events=0 overruns=1")
  }

  @Test func `a grab is for us alone`() throws {
    try start("REL_DIAL BTN_0", "--grab")
    #expect(bed.output.contains("grabbed /dev/input/event7 down=[] overruns=0"))
    #expect(try bed("state event7").contains("grabbed=yes"))
    try bed("emit event7 REL_DIAL=1")
    #expect(try bed.line("event7 ") == "frame /dev/input/event7 REL_DIAL=1")
  }

  @Test func `a grab waits until no key is down`() throws {
    try bed("add event7 BTN_0 BTN_1")
    try bed("emit event7 BTN_0=1")
    try bed.start("input-probe", "--grab")
    #expect(try bed.line("waiting") == "waiting /dev/input/event7")
    #expect(try bed("state event7").contains("grabbed=no"))
    try bed.line("ready")
    try bed("emit event7 BTN_1=1")
    try bed("emit event7 BTN_0=0")
    try bed.line("BTN_0=0")
    #expect(try bed("state event7").contains("grabbed=no"))
    try bed("emit event7 BTN_1=0")
    #expect(try bed.line("event7 ") == "frame /dev/input/event7 BTN_1=0")
    #expect(try bed.line("event7 ") == "grabbed /dev/input/event7 down=[] overruns=0")
    #expect(try bed("state event7").contains("grabbed=yes"))
  }

  @Test func `a grab that a key has just forestalled is given up`() throws {
    try bed("add event7 BTN_0 BTN_1")
    try bed("emit event7 BTN_0=1")
    try bed.start("input-probe", "--grab")
    try bed.line("ready")
    try bed("hide event7 BTN_1=1")
    try bed("emit event7 BTN_0=0")
    #expect(try bed.line("waiting /dev/input/event7 ").contains("BTN_1=1 down=[BTN_1]"))
    #expect(try bed("state event7").contains("grabbed=no"))
    try bed("emit event7 BTN_1=0")
    try bed.line("grabbed /dev/input/event7 down=[]")
  }

  @Test func `a device that another program has grabbed is busy`() throws {
    try bed("add event7 REL_DIAL")
    try bed("grab event7")
    try bed.start("input-probe", "--grab")
    #expect(
      try bed.line("busy:")
        == "busy: /dev/input/event7 is grabbed by another program; stop it, or set grab = false for this device"
    )
  }

  @Test func `a device that may only be read is read`() throws {
    try bed("add event7 REL_DIAL")
    try bed("readonly event7")
    try bed.start("input-probe")
    #expect(try bed.line("opened").contains("writable=false"))
    try bed("emit event7 REL_DIAL=1")
    try bed.line("frame /dev/input/event7 REL_DIAL=1")
  }

  @Test func `a device that may not be opened is denied until it may`() throws {
    try bed("add event7 REL_DIAL")
    try bed("deny event7")
    try bed.start("input-probe")
    #expect(try bed.line("denied:").contains("/dev/input/event7 belongs to "))
    #expect(bed.output.contains { $0.contains(" (0000); add a udev rule") })
    try bed("allow event7")
    try bed("change event7")
    try bed.line("opened /dev/input/event7")
  }
}
