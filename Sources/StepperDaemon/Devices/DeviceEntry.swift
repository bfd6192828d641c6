import StepperConfiguration
import StepperCore
import StepperDevices
import StepperInput

/// One device as clients see it: plugged in or not, used or not. It keeps its name and its counts while the
/// hardware comes and goes.
final class DeviceEntry {
  /// Stable while the daemon runs: `knob`, `knob:2`, or `event5` for a device nobody uses.
  let name: String
  /// nil: no table of the configuration matches it.
  var configuration: DeviceConfiguration?
  /// nil: not plugged in, or virtual.
  var identity: DeviceIdentity?
  /// What was plugged in last, to know it again.
  var lastIdentity: DeviceIdentity?
  var state = State.absent
  /// What is wrong and what to do about it.
  var problem: String?
  /// Its number in the engine while it is read.
  var id: DeviceNumber?
  /// The open node while it is read; nil for a virtual device.
  var device: EvdevDevice?
  /// What it is felt, heard and seen by; nil while it is not open.
  var outputs: DeviceOutputs?
  /// When to look again for haptics that may not be opened yet: their node comes after the device's own.
  var hapticRetry: Retry?
  /// When to try again to open or grab it.
  var retry: Retry?
  /// Whether the last read left something behind that the kernel may not tell of any more.
  var hasUnread = false
  /// The wakeup in which it was read last.
  var lastRead: Instant?
  var storm = StormGauge()
  var events: Int64 = 0
  var frames: Int64 = 0
  var overruns: Int64 = 0
  /// When an overrun was reported last.
  var overrunReported: Instant?
  var connects: Int64 = 0

  enum State: Hashable {
    case absent, unused, denied, busy, open, grabbed
  }

  typealias Retry = StepperDaemon.Retry

  init(name: String, configuration: DeviceConfiguration?, identity: DeviceIdentity? = nil) {
    self.name = name
    self.configuration = configuration
    self.identity = identity
  }

  /// ``problem``, or that it is in a storm.
  var currentProblem: String? {
    problem
      ?? storm.storm.map { _ in
        "sends events faster than they are read, which is \(StormGauge.framesPerSecond) frames a second; the rest is lost"
      }
  }

  var isVirtual: Bool { configuration?.source == .virtual }
  var isRead: Bool { id != nil }

  /// Its name in the LED class; nil for every other kind of device.
  var className: String? {
    switch configuration?.source {
    case .light(let name), .vibrator(let name): name
    case .matching, .virtual, nil: nil
    }
  }
}
