import StepperCore
import Testing

@testable import StepperCommands

struct RehearsalTests {
  private let knob = device("event5", usages: [.dial, .button0])

  private func rehearsal() throws -> Rehearsal {
    var control = ControlSettings(name: "volume")
    control.bindings = [Binding(InputReference(device: "knob", usage: .dial), .rotate)]
    var settings = DeviceSettings(name: "knob")
    settings.countsPerDetent = 4
    return try #require(
      Rehearsal(
        "volume", of: EngineConfiguration(controls: [control], devices: [settings]),
        devices: [(knob, "knob")], at: .milliseconds(0)))
  }

  @Test func `the frames of the device move the control`() throws {
    var rehearsal = try rehearsal()
    rehearsal.start(at: 30)
    var hand = Hand()
    hand.turn("event5", .dial, clicks: 10, counts: [1, 1, 1, 1])
    hand.turn("event6", .dial, clicks: 10, counts: [4])
    let moved = hand.frames.map { rehearsal.play($0) }
    #expect(moved.count { $0 } == 10 && rehearsal.text == "40" && rehearsal.position == 0.4)
  }

  @Test func `a control that the configuration lacks is not played`() {
    #expect(
      Rehearsal("x", of: EngineConfiguration(controls: [], devices: []), devices: [], at: .milliseconds(0))
        == nil)
  }
}
