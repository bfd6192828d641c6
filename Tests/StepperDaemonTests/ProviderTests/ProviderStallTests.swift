import StepperCore
import StepperInterfaces
import StepperLinux
import TestSupport
import Testing
import Varlink

/// What happened while the daemon could not run, and is known from the time stamps of the frames.
@Suite(.timeLimit(.minutes(10)))
struct ProviderStallTests {
  private static let button = """
    [control.volume]
    initial = 40
    multi-press = "300ms"
    push = { input = "knob:BTN_0", short = "reset", double = "to-minimum", long = "to-maximum" }

    """

  /// Frames of the button at these times before now, in milliseconds.
  private func report(_ frames: [(before: Int64, value: Int64)], of knob: AttachedKnob)
    -> Provider.Report.Parameters
  {
    let now = Instant.now.nanoseconds / 1_000
    return .init(
      handle: knob.reply.handle,
      frames: ShortList(
        frames.map { frame in
          .init(time: now - frame.before * 1_000, events: [.init(code: "BTN_0", value: frame.value)])
        }))
  }

  @Test(
    arguments: [
      ([(1_500, 1), (50, 0)], 100), ([(1_500, 1), (1_400, 0)], 40),
      ([(2_000, 1), (1_900, 0), (1_200, 1), (1_100, 0)], 40),
      ([(2_000, 1), (1_900, 0), (1_800, 1), (1_700, 0)], 0),
    ] as [([(Int64, Int64)], Double)])
  func `a gesture during a stall is recognized by its own times`(
    frames: [(Int64, Int64)], value: Double
  ) throws {
    let bed = try ProviderBed(Self.button)
    let knob = try bed.attach()
    try bed.client().call(ControlInterface.Set.self, .init(control: "volume", value: 60))
    let follower = try bed.follower()
    try bed.daemon.process.whileStopped {
      #expect(!knob.client.hasMessage(within: 2.2))
      try knob.client.send(
        Provider.Report.self, report(frames.map { (before: $0.0, value: $0.1) }, of: knob))
    }
    #expect(try knob.client.reply().error == nil)
    #expect(try follower.values { $0.value != 60 }.last == value)
  }

  @Test func `a program has time to renew its lease after a stall, as clients have`() throws {
    let bed = try ProviderBed("[control.bell]\nkind = \"button\"\npush = \"knob:BTN_0\"")
    let knob = try bed.attach(.knob(lease: 1_000))
    try knob.report("BTN_0=1")
    try bed.daemon.process.whileStopped { #expect(!knob.client.hasMessage(within: 1.5)) }
    try knob.report()
    #expect(try bed.client().state(of: "bell").value == 1)
  }

  @Test func `a button that is down decides also after a reload`() throws {
    let table = """
      [control.fine]
      rotate = { input = "knob:REL_DIAL", while = "knob:BTN_0" }
      [control.volume]
      rotate = "knob:REL_DIAL"

      """
    let bed = try ProviderBed(table)
    let knob = try bed.attach()
    try knob.report("BTN_0=1")
    try bed.reload(
      "[device.wheel]\nmatch = { provider = \"test\" }\n"
        + table.split(separator: "knob:").joined(separator: "wheel:"))
    try knob.report("REL_DIAL=3")
    #expect(try bed.client().state(of: "fine").value == 3)
    #expect(try bed.client().state(of: "volume").value == 0)
  }
}
