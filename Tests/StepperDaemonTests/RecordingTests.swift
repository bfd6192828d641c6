import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing

/// Plays synthetic recordings of common steppers to the real daemon, from the ioctls at opening to the last event.
/// `Scripts/renew/synthetic-recordings` wrote them.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run"), "needs umockdev"),
  .timeLimit(.minutes(10)))
struct RecordingTests {
  /// Bindings, and the value that 50 becomes.
  static let recordings: [(name: String, match: String, bindings: String, value: Double)] = [
    ("powermate", "Griffin PowerMate", #"rotate = "device:REL_DIAL""#, 46),
    ("ky040", "rotary@*", #"rotate = "device:REL_X""#, 52),
    // A tap of plus, and minus held for 1.2 s.
    (
      "gpio-keys", "gpio-keys",
      """
      increment = "device:KEY_VOLUMEUP"
      decrement = { input = "device:KEY_VOLUMEDOWN", multiplier = 3 }
      autorepeat = false
      """, 48
    ),
    ("hires-wheel", "Jog Wheel", #"rotate = "device:REL_WHEEL""#, 51),
    ("fader", "adc-joystick", #"absolute = "device:ABS_X""#, 50),
  ]

  @Test(arguments: recordings.indices)
  func `a recording leads to the value it must`(_ index: Int) throws {
    let (name, match, bindings, value) = Self.recordings[index]
    let folder = try TemporaryFolder()
    try folder.write(
      """
      [device.device]
      match = { name = "\(match)" }
      [control.volume]
      initial = 50
      \(bindings)
      """, to: "stepperd.toml")
    let recording = TemporaryFolder.path(ofSource: "Tests/StepperDaemonTests/SyntheticRecordings/\(name)")
    let arguments = [
      "-d", "\(recording).umockdev", "-i", "/dev/input/event5=\(recording).ioctl", "-e",
      "/dev/input/event5=\(recording).events", "--", builtProgram("stepperd"), "--user", "--config",
      "\(folder.path)/stepperd.toml",
    ]
    let process = try ChildProcess(
      "/usr/bin/umockdev-run", arguments, environment: RunningDaemon.environment(in: folder))
    try process.expectOutput("Ctrl-C ends it.")
    let follower = try WireClient("\(folder.path)/stepperd/org.stepperd")
    try follower.subscribe()
    // The recording may have begun already, and the last value may come in between as well: it is the one
    // that stays.
    var last: Double?
    while last != value || follower.hasMessage(within: 1.5) {
      last = try follower.next().states.last?.value
    }
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }
}
