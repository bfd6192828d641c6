import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux

/// A device as clients see it: connected or not, used or not. It keeps its name and its counts while the hardware is
/// disconnected.
final class DeviceEntry {
  /// Stable while the daemon runs: `knob`, `knob:2`, or `event5` for an unused device.
  let name: String
  /// nil: the configuration has no table that matches it.
  var configuration: DeviceConfiguration?
  /// nil: disconnected, or virtual.
  var identity: DeviceIdentity?
  /// The hardware that was connected last, to recognize it.
  var lastIdentity: DeviceIdentity?
  var state = DeviceInterface.DeviceState.absent
  /// The problem of the device and its remedy.
  var problem: String?
  /// Its number in the engine; nil while it is not read.
  var id: DeviceNumber?
  /// Its number until it was last disconnected: inputs with it may be queued.
  var formerID: DeviceNumber?
  /// Why an unused device that a client watches is not open.
  var watchProblem: String?
  /// The open node; nil while it is not read, and for a virtual device.
  var device: EvdevDevice?
  /// What a virtual device, or one that a program has attached, has instead of a node.
  var provided: ProvidedDevice?
  /// Its outputs and lights; nil while it is not open.
  var outputs: DeviceOutputs?
  /// Its haptics, if it is a HID device that has them.
  var haptic: HapticHID?
  /// The next attempt to open its haptics: their node appears after that of the device.
  var hapticRetry = Retry()
  /// The next attempt to open or grab it.
  var retry = Retry()
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

  /// Whether it is among the devices that ``Devices`` looks at when time passes.
  var isTimed = false

  /// The time of its next work that no event announces; `now` if it has unread events.
  func deadline(at now: Instant) -> Instant? {
    var next = Instant.earliest(retry.at, hapticRetry.at)
    next = .earliest(next, .earliest(storm.deadline, provided?.leaseEnd))
    next = .earliest(next, outputs?.deadline)
    return mustContinueReading ? .earliest(next, now) : next
  }

  /// Whether events of it must be read although its descriptor may not become readable again.
  var mustContinueReading: Bool { hasUnread && !storm.isPaused }

  /// ``problem``, or the report of a storm.
  var currentProblem: String? {
    problem
      ?? storm.storm.map { _ in
        "sends events faster than they are read, which is \(StormGauge.framesPerSecond) frames a second; the rest is lost"
      }
  }

  /// The identity of a device of the kernel.
  var nodeIdentity: DeviceIdentity? { identity?.provider == nil ? identity : nil }

  var isVirtual: Bool { configuration?.source == .virtual }
  var isRead: Bool { id != nil }

  /// What is known about an absolute axis of it.
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
