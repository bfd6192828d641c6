import StepperCore
import StepperLinux
import TestSupport
import Testing

@testable import StepperDaemon

/// A program that reports more than a stepper can do. All reports are of one moment, so that the test does not depend
/// on how many a busy machine can take.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ProvidedStormTests {
  private let loop: EventLoop
  private let devices: Devices
  private let entry: DeviceEntry
  private let turn = EvdevEvents(EvdevEvent(.relative(7), 1))
  private let button = EvdevUsage.key(0x100)

  init() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "[device.knob]\nmatch = { provider = \"test\" }\n[control.volume]\nrotate = \"knob:REL_DIAL\"",
      to: "file")
    let checked = try CheckedConfiguration(
      ConfigurationFile(path: "\(folder.path)/file", isOptional: false), scope: .user)
    loop = try EventLoop()
    devices = Devices(
      World(checked.loaded, checked.authorization, at: loop.now), loop: loop, journal: Journal(LogOutput()))
    devices.configure(present: [])
    var declaration = ProvidedDevice.Declaration()
    var identity = DeviceIdentity(node: "")
    identity.provider = "test"
    declaration.identity = identity
    declaration.usages = ["REL_DIAL": .relative(7), "BTN_0": button]
    let peer = PeerCredentials(processID: 1, userID: 0, groupIDs: [])
    entry = devices.attach(
      ProvidedDevice(
        declaration, of: .init(handle: "handle", session: 1, peer: peer, since: loop.now, lease: nil)))
  }

  private func report(_ frames: EvdevEvents...) {
    devices.received = Devices.Report(frames: frames.map { (stamp: nil, events: $0) })
    devices.noteReceived(from: entry)
  }

  /// The inputs that wait for the engine.
  private func inputs() -> [Input] {
    var inputs: [Input] = []
    while let next = devices.queue.next(notAfter: loop.now) { inputs.append(next.input) }
    return inputs
  }

  @Test func `what it reports in a storm is lost, and its keys are as they are when the storm pauses`() throws
  {
    #expect(entry.name == "knob" && entry.isRead)
    let id = try #require(entry.id)
    var count = 0
    while !entry.storm.isPaused, count < 100_000 {
      report(turn)
      count += 1
    }
    // A second's worth, all of which has come.
    #expect(Int64(count) == StormGauge.framesPerSecond + 1)
    #expect(inputs().count { $0 == .frame(id, turn) } == count && devices.account.storms == 1)
    report(EvdevEvents(EvdevEvent(button, 1)), turn, turn)
    #expect(inputs().isEmpty && entry.overruns == 0)
    let device = entry
    try loop.run { _ in
      devices.continueReading(device)
      if !device.storm.isPaused { loop.stop() }
      return device.storm.deadline
    }
    #expect(inputs() == [.resynchronized(id, EvdevEvents(EvdevEvent(button, 1)), keysDown: [button])])
    #expect(entry.overruns == 1)
    // One storm until half of the credit is back; it moves the knob meanwhile.
    report(EvdevEvents(EvdevEvent(button, 0)), turn)
    #expect(inputs() == [.frame(id, EvdevEvents(EvdevEvent(button, 0))), .frame(id, turn)])
    #expect(devices.account.storms == 1 && entry.storm.storm != nil)
    try loop.run { _ in
      devices.continueReading(device)
      if device.storm.storm == nil { loop.stop() }
      return device.storm.deadline
    }
    #expect(inputs().isEmpty && devices.account.stormPauses == 1)
  }

  @Test func `what it says it has lost counts as well`() {
    var count: Int64 = 0
    while !entry.storm.isPaused, count < 100_000 {
      devices.received = Devices.Report(lost: (keysDown: count % 2 == 0 ? [button] : [], positions: []))
      devices.noteReceived(from: entry)
      count += 1
    }
    #expect(count == StormGauge.framesPerSecond + 1)
  }
}
