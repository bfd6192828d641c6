import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux

/// A device as clients see it: connected or not, used or not. It keeps its name and its counts while the hardware is
/// disconnected.
final class DeviceEntry {
  /// Stable while the daemon runs: `knob`, `knob:2`, or `event5` for an unused device.
  let name: String
  /// The table of the configuration that matches the device; nil: none does.
  var configuration: DeviceConfiguration?
  /// nil: the device is disconnected, or virtual.
  var identity: DeviceIdentity?
  /// The hardware that was connected last, to recognize it.
  var lastIdentity: DeviceIdentity?
  var state = DeviceInterface.DeviceState.absent
  /// The problem of the device and its remedy.
  var problem: String?
  /// Its number in the engine; nil while it is not read.
  var id: DeviceNumber?
  /// Its number until it was last disconnected: inputs with this number may still be queued.
  var formerID: DeviceNumber?
  /// Why an unused device that a client watches is not open.
  var watchProblem: String?
  /// The open node; nil while it is not read, and for a virtual device.
  var device: EvdevDevice?
  /// Takes the place of the node for a virtual device and for a device that a program has attached; nil for others.
  var provided: ProvidedDevice?
  /// Its outputs and lights; nil while it is not open.
  var outputs: DeviceOutputs?
  /// Its haptics, if it is a HID device that has them.
  var haptic: HapticHID?
  /// The next attempt to open its haptics, whose node appears after that of the device.
  var hapticRetry = Retry()
  /// The next attempt to open or grab the device. Opening a device that then cannot be read counts as a failure.
  var retry = Retry(stableAfter: .seconds(10))
  /// Whether the last read left events behind for which the descriptor may not become readable again.
  var hasUnread = false
  /// The last wakeup in which it was read.
  var lastRead: Instant?
  var storm = StormGauge()
  var events: Int64 = 0
  var frames: Int64 = 0
  var overruns: Int64 = 0
  /// The time of the last report of an overrun.
  var overrunReported: Instant?
  var connects: Int64 = 0

  init(name: String, configuration: DeviceConfiguration?, identity: DeviceIdentity? = nil) {
    self.name = name
    self.configuration = configuration
    self.identity = identity
  }

  /// Whether ``Devices/timed`` contains the device, so that it is checked when time passes.
  var isTimed = false

  /// When the device next needs work that no event announces; `now` if it has unread events.
  func deadline(at now: Instant) -> Instant? {
    var next = Instant.earliest(retry.at, hapticRetry.at)
    next = .earliest(next, .earliest(storm.deadline, provided?.leaseEnd))
    next = .earliest(next, outputs?.deadline)
    return mustContinueReading ? .earliest(next, now) : next
  }

  /// Whether the device has events that must be read although its descriptor may not become readable again.
  var mustContinueReading: Bool { hasUnread && !storm.isPaused }

  /// ``problem``; otherwise why the device is not grabbed yet; otherwise the report of a storm; nil without any of them.
  var currentProblem: String? {
    problem ?? device.flatMap {
      isGrabWanted && !$0.isGrabbed ? "is not grabbed because one of its keys is down; release it" : nil
    }
      ?? storm.storm.map { _ in
        "sends more than \(StormGauge.framesPerSecond) frames a second; the rest is lost"
      }
  }

  private var isGrabWanted: Bool { configuration?.grabs ?? false }

  /// The name of the table that matches the device; nil: none does.
  var table: String? { configuration?.settings.name }

  /// The identity, unless a program has attached the device.
  var nodeIdentity: DeviceIdentity? { identity?.provider == nil ? identity : nil }

  var isVirtual: Bool { configuration?.source == .virtual }
  var isRead: Bool { id != nil }

  /// The properties of one of the device's absolute axes; nil if they are unknown.
  func axis(_ usage: EvdevUsage) -> AbsoluteAxisInfo? {
    provided.map { $0.axes[usage.code] } ?? device?.absoluteAxis(usage)
  }

  /// Its name in the LED class; nil for every other kind of device.
  var className: String? {
    switch configuration?.source {
    case .light(let name), .vibrator(let name): name
    case .matching, .virtual, nil: nil
    }
  }
}
