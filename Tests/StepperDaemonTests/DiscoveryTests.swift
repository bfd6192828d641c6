import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// The real daemon on simulated devices, with a libudev that fails.
@Suite(.enabled(if: MockBed.isAvailable, "needs the Debian package umockdev"), .timeLimit(.minutes(10)))
struct DiscoveryTests {
  private let bed: MockBed
  private let folder: TemporaryFolder
  private let library: String

  private static let configuration = """
    [device.knob]
    match = { name = "Test *" }
    [device.panel]
    virtual = true
    [control.volume]
    rotate = ["knob:REL_DIAL", "panel:dial"]
    """

  init() throws {
    (bed, folder) = (try MockBed(), try TemporaryFolder())
    try folder.write(
      "[daemon]\nstate-directory = \"\(folder.path)\"\n" + Self.configuration, to: "stepperd.toml")
    library = try folder.compileLibrary("udev-faults")
  }

  /// Starts the daemon; `faults` as in `Tests/Support/udev-faults.c`.
  private func start(_ faults: String = "") throws {
    try fail(faults)
    let variables =
      "LD_PRELOAD=\"$LD_PRELOAD:\(library)\" STEPPERD_UDEV_FAULTS=\"\(folder.path)/faults\""
    let daemon =
      "\(builtProgram("stepperd")) --user --config \(folder.path)/stepperd.toml --socket \(folder.path)/socket"
    try bed.start("/bin/sh", "-c", "\(variables) exec \(daemon)")
    try bed.line("Ctrl-C ends it.")
  }

  private func fail(_ faults: String) throws { try folder.write(faults, to: "faults") }

  private func client() throws -> WireClient { try WireClient("\(folder.path)/socket") }

  private func problems() throws -> [String] {
    try client().call(ManagerInterface.GetStatus.self, NoParameters()).problems
  }

  private func knob() throws -> DeviceInterface.Device? {
    try client().call(DeviceInterface.List.self, NoParameters()).devices.first { $0.device == "knob" }
  }

  /// Waits until the knob is, or is not, read.
  private func expectKnob(_ state: DeviceInterface.DeviceState, within seconds: Double = 60) throws {
    let client = try client()
    try client.send(DeviceInterface.Subscribe.self, NoParameters(), mode: .more)
    while true {
      let reply = try client.reply(within: seconds).decode(DeviceInterface.Subscribe.Reply.self)
      if reply.devices.contains(where: { $0.device == "knob" && $0.state == state }) { return }
    }
  }

  /// Waits until nothing is wrong any more.
  private func expectNoProblem() throws {
    #expect(Deadline().wait { (try? problems()) == [] })
  }

  private static let late = "changes of devices are detected late: the udev monitor failed: "

  @Test func `without a monitor it serves, and finds devices a little later`() throws {
    try bed("add event5 'name=Test Dial' REL_DIAL")
    try start("open EAFNOSUPPORT")
    #expect(try knob()?.state == .open)
    let client = try client()
    try client.turn(3)
    #expect(try client.state().value == 3)
    let advice = "; the service needs AF_NETLINK in RestrictAddressFamilies="
    #expect(
      try problems() == ["\(Self.late)Address family not supported by protocol\(advice)"])
    try bed("remove event5")
    try expectKnob(.absent)
    try bed("add event6 'name=Test Dial' REL_DIAL")
    // The pauses between two looks grow to 30 s.
    try expectKnob(.open)
    try fail("")
    try bed.line("changes of devices are detected again")
    #expect(try problems() == [])
    #expect(bed.output.count { $0.contains("detected late") } == 1, "said once")
  }

  @Test func `a monitor that fails is opened again, and what happened meanwhile is found`() throws {
    try start()
    try fail("receive EIO")
    try bed("add event5 'name=Test Dial' REL_DIAL")
    try bed.line("detected late")
    #expect(try problems() == ["\(Self.late)Input/output error"])
    try fail("")
    try expectKnob(.open)
    try expectNoProblem()
    try bed("remove event5")
    try expectKnob(.absent)
  }

  @Test func `what the kernel dropped is made up for by a list`() throws {
    try bed("add event4 'name=Test Dial' REL_DIAL")
    try start()
    try fail("receive ENOBUFS")
    try bed("remove event4")
    try expectKnob(.absent)
    try bed("add event5 'name=Test Dial' REL_DIAL")
    try expectKnob(.open)
    #expect(try problems() == [])
  }

  @Test func `a reload that cannot list the devices keeps them`() throws {
    try bed("add event5 'name=Test Dial' REL_DIAL")
    try start()
    try fail("list EMFILE")
    let client = try client()
    let before = try knob()
    for _ in 0..<3 { try client.call(ManagerInterface.Reload.self, NoParameters()) }
    #expect(try knob()?.state == .open)
    #expect(try knob()?.connects == before?.connects, "it was not even closed for a moment")
    try client.subscribe()
    try bed("emit event5 REL_DIAL=4")
    try client.values { $0.value == 4 }
    #expect(
      try problems() == [
        "the input devices cannot be listed: Too many open files; the known ones remain in use"
      ])
    #expect(bed.output.count { $0.contains("cannot be listed") } <= 1, "said once")
    // A device that comes is still told by the monitor.
    try bed("remove event5")
    try expectKnob(.absent)
    try fail("")
    try expectNoProblem()
    #expect(try knob()?.state == .absent)
  }

  @Test func `a start that cannot list the devices serves, and finds them later`() throws {
    try bed("add event5 'name=Test Dial' REL_DIAL")
    try start("list EMFILE\nopen EMFILE")
    let client = try client()
    try client.turn(2)
    #expect(try client.state().value == 2)
    #expect(try problems().count == 2)
    try fail("")
    try expectKnob(.open)
    try expectNoProblem()
  }
}
