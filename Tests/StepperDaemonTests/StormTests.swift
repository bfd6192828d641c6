import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Devices that send more than a stepper can, on simulated devices; `Tests/Kernel/test_storm.py` has real ones.
@Suite(.enabled(if: MockBed.isAvailable, "needs the Debian package umockdev"), .timeLimit(.minutes(10)))
struct StormTests {
  private let bed: MockBed
  private let folder: TemporaryFolder

  init() throws {
    (bed, folder) = (try MockBed(), try TemporaryFolder())
    try folder.write(
      """
      [daemon]
      state-directory = "\(folder.path)"
      [device.knob]
      match = { name = "Test Knob" }
      [device.storm]
      match = { name = "Test Storm" }
      [control.volume]
      rotate = "knob:REL_DIAL"
      [control.other]
      minimum = -1000000
      maximum = 1000000
      initial = 0
      rotate = "storm:REL_DIAL"
      """, to: "stepperd.toml")
    try bed("add event5 'name=Test Knob' REL_DIAL")
    try bed("add event6 'name=Test Storm' REL_DIAL REL_X")
    try bed.start(
      "stepperd", "--user", "--config", "\(folder.path)/stepperd.toml", "--socket",
      "\(folder.path)/socket")
    try bed.line("Ctrl-C ends it.")
  }

  private func client() throws -> WireClient { try WireClient("\(folder.path)/socket") }

  private func problem(_ client: WireClient) throws -> String? {
    try client.call(DeviceInterface.List.self, NoParameters()).devices.first { $0.device == "storm" }?.problem
  }

  @Test func `a storm is throttled and said once, and another knob turns meanwhile`() throws {
    let (client, follower) = (try client(), try client())
    try follower.subscribe(["volume"])
    _ = try follower.next()
    let detents = try bed.storm("event6", with: "REL_DIAL=1")
    // nil: this machine was so slow that the storm has ended by now, which the log shows below.
    #expect(try problem(client)?.contains("sends more than 4000 frames a second") ?? true)
    try bed("emit event5 REL_DIAL=1")
    try follower.values(of: "volume") { $0.value == 1 }
    try bed.line("the storm of events ended")
    #expect(bed.output.count { $0.contains("sends more than 4000 frames a second") } == 1)
    #expect(try problem(client) == nil)
    // This kernel drops nothing, so everything has come.
    #expect(Deadline().wait { (try? client.state(of: "other").value) == Double(detents) })
  }

  @Test func `a device that goes in a storm is gone, and is calm when it comes back`() throws {
    let client = try client()
    _ = try bed.storm("event6", with: "REL_DIAL=1")
    try bed("remove event6")
    #expect(try problem(client) == nil)
    try bed("add event6 'name=Test Storm' REL_DIAL REL_X")
    try bed.line("storm is Test Storm")
    #expect(try problem(client) == nil)
    let value = try client.state(of: "other").value ?? 0
    try bed("emit event6 REL_DIAL=1")
    #expect(Deadline().wait { (try? client.state(of: "other").value) == value + 1 })
  }
}
