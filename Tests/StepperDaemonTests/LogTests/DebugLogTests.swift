import StepperInterfaces
import TestSupport
import Testing

@Suite struct DebugLogTests {
  @Test func `with the level debug every input, call and effect is logged`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    _ = try client.call(DeviceInterface.Turn.self, .init(device: "panel", input: "dial", detents: 3))
    try daemon.process.expectOutput("calls org.stepperd.device.Turn")
    try daemon.process.expectOutput("device: frame panel#1 REL_DIAL=3")
    try daemon.process.expectOutput("daemon: publish volume 3")
    _ = try client.call(ControlInterface.Set.self, .init(control: "volume", value: 7))
    try daemon.process.expectOutput("daemon: publish volume 7")
    try daemon.process.expectOutput("daemon: volume set")
  }

  @Test func `with the usual level none is logged`() throws {
    let daemon = try RunningDaemon(arguments: ["--log-level", "info"])
    let client = try daemon.client()
    _ = try client.call(ControlInterface.Set.self, .init(control: "volume", value: 7))
    try daemon.stop()
    try daemon.process.expectOutput("stopping")
    #expect(!daemon.process.output.contains("publish"))
  }
}
