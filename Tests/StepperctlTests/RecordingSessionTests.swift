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
