import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText
import Testing

@testable import StepperCommands

@Suite struct `A recording that is made` {
  private typealias Reply = DeviceInterface.Monitor.Reply

  private static func knob(down keys: [String] = []) -> DeviceInterface.MonitoredDevice {
    .init(
      device: "knob", name: "Knob", bus: 3, vendor: "077d", product: "0410", physicalPath: "", uniqueName: "",
      node: "/dev/input/event5", links: [], properties: [:], generalPurpose: false,
      codes: ["REL_DIAL", "BTN_0"], axes: [], keysDown: keys)
  }

  private static func frame(_ time: Int64, _ code: String, _ value: Int64) -> DeviceInterface.Frame {
    .init(
      device: "knob", monotonicMicroseconds: time, resynchronized: false,
      events: [.init(code: code, value: value)], consequences: [])
  }

  private static func reply(
    _ devices: [DeviceInterface.MonitoredDevice] = [], _ frames: [DeviceInterface.Frame] = []
  ) -> Reply {
    .init(devices: devices, removed: [], frames: frames, dropped: 0)
  }

  @Test func `notes keys that were released while the connection was lost`() {
    var session = RecordingSession(keyboards: false)
    _ = session.lines(of: Self.reply([Self.knob()]), at: .microseconds(0))
    let pressed = session.lines(
      of: Self.reply([], [Self.frame(1_000, "BTN_0", 1)]), at: .microseconds(2_000))
    #expect(pressed == ["0ms frame knob BTN_0=1"])
    #expect(session.gap().allSatisfy { $0.hasPrefix("# ") })
    let again = session.lines(
      of: Self.reply([Self.knob()], [Self.frame(9_000, "REL_DIAL", 1)]), at: .microseconds(8_000))
    #expect(again == ["7ms resync knob", "8ms frame knob REL_DIAL=1"])
    #expect(session.lines(of: Self.reply([Self.knob()]), at: .microseconds(9_000)).isEmpty)
    #expect(
      session.lines(of: Self.reply([Self.knob(down: ["BTN_0"])]), at: .microseconds(9_000)) == [
        "8ms resync knob down BTN_0"
      ])
  }

  @Test func `keeps the place of a device that is plugged in again`() throws {
    var session = RecordingSession(keyboards: false)
    var lines = session.head([]) + session.lines(of: Self.reply([Self.knob()]), at: .microseconds(0))
    for round in Int64(1)...1_000 {
      lines += session.lines(of: Self.reply([], [Self.frame(round, "REL_DIAL", 1)]), at: .microseconds(round))
      lines += session.lines(of: Self.removed, at: .microseconds(round))
      let keys = round % 2 == 0 ? ["BTN_0"] : []
      lines += session.lines(of: Self.reply([Self.knob(down: keys)]), at: .microseconds(round))
    }
    #expect(session.devices.count == 1 && session.frames == 1_000 && !session.isFull)
    #expect(lines.count { $0 == "device knob" } == 1 && lines.count { $0.hasSuffix(" add knob") } == 1_000)
    #expect(lines.count { $0.hasSuffix(" resync knob down BTN_0") } == 500)
    lines.append(session.end(at: .microseconds(1_000)))
    let recording = try Recording.read(
      Array(lines.map { "\($0)\n" }.joined().utf8), file: "x", codes: .kernel)
    #expect(recording.devices.count == 1)
  }

  @Test func `describes a device again that is another one now`() {
    var session = RecordingSession(keyboards: false)
    _ = session.lines(of: Self.reply([Self.knob()], [Self.frame(1, "REL_DIAL", 1)]), at: .microseconds(1))
    _ = session.lines(of: Self.removed, at: .microseconds(2))
    var other = Self.knob()
    other.codes.append("BTN_1")
    #expect(session.lines(of: Self.reply([other]), at: .microseconds(3)).contains("device knob"))
    _ = session.lines(of: Self.removed, at: .microseconds(4))
    // The description in force is that of the other one.
    #expect(session.lines(of: Self.reply([Self.knob()]), at: .microseconds(5)).contains("device knob"))
  }

  @Test func `ends without a place for another device, and after a month`() {
    var session = RecordingSession(keyboards: false)
    for number in 0..<RecordingLimit.devices {
      var device = Self.knob()
      device.device = "knob\(number)"
      _ = session.lines(of: Self.reply([device]), at: .microseconds(0))
      #expect(!session.isFull)
    }
    _ = session.lines(of: Self.reply([Self.knob()]), at: .microseconds(0))
    #expect(session.isFull)
    var other = RecordingSession(keyboards: false)
    _ = other.lines(of: Self.reply([Self.knob()], [Self.frame(0, "REL_DIAL", 1)]), at: .microseconds(0))
    let month = RecordingLimit.time.nanoseconds / 1_000
    #expect(
      !other.lines(of: Self.reply([], [Self.frame(month, "REL_DIAL", 1)]), at: .microseconds(month)).isEmpty)
    #expect(!other.isFull)
    #expect(
      other.lines(of: Self.reply([], [Self.frame(month + 1, "REL_DIAL", 1)]), at: .microseconds(month))
        .isEmpty)
    #expect(other.isFull)
  }

  @Test(arguments: [3_600_000_000, -3_600_000_000]) func `has the daemon's clock where that is another one`(
    difference: Int64
  ) {
    let start: Int64 = 10_000_000_000
    func at(_ milliseconds: Int64) -> Instant { .microseconds(start + milliseconds * 1_000) }
    func frame(_ milliseconds: Int64) -> DeviceInterface.Frame {
      Self.frame(start + difference + milliseconds * 1_000, "REL_DIAL", 1)
    }
    var session = RecordingSession(keyboards: false)
    var lines = session.lines(of: Self.reply([Self.knob()], [frame(0)]), at: at(0))
    lines += session.lines(of: Self.removed, at: at(100))
    lines += session.lines(of: Self.reply([Self.knob()], [frame(200)]), at: at(200))
    lines += session.lines(of: Self.reply([], [frame(300)]), at: at(300))
    #expect(
      lines.suffix(5) == [
        "0ms frame knob REL_DIAL=1", "100ms remove knob", "200ms add knob", "200ms frame knob REL_DIAL=1",
        "300ms frame knob REL_DIAL=1",
      ])
  }

  private static let removed = Reply(devices: [], removed: ["knob"], frames: [], dropped: 0)

  @Test func `ends where replay can play no more`() throws {
    var session = RecordingSession(keyboards: false)
    var lines = session.head([]) + session.lines(of: Self.reply([Self.knob()]), at: .microseconds(0))
    let frames = (1...1_000).map { Self.frame($0, "REL_DIAL", 1) }
    while !session.isFull {
      lines += session.lines(of: Self.reply([], frames), at: .microseconds(0))
      try #require(lines.count < 2 * RecordingLimit.frames)
    }
    lines.append(session.end(at: .microseconds(0)))
    let text = lines.map { "\($0)\n" }.joined()
    let recording = try Recording.read(Array(text.utf8), file: "x", codes: .kernel)
    #expect(recording.entries.count == RecordingLimit.frames && recording.entries.last?.event == .end)
    #expect(session.frames == RecordingLimit.frames - 1)
  }
}
