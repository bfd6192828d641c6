import StepperCore
import StepperText

@testable import StepperCommands

/// A hand that moves inputs in virtual time, with what other devices report meanwhile.
struct Hand {
  private(set) var observation: Observation
  private(set) var frames: [WatchedFrame] = []
  private(set) var now = Instant.milliseconds(1_000)

  init(_ devices: [String: RecordedDevice] = [:]) { observation = Observation(devices) }

  mutating func rest(_ duration: Duration) { now = now + duration }

  mutating func report(_ device: String, _ events: EvdevEvents) {
    let frame = WatchedFrame(device: device, time: now, events: events)
    observation.add(frame)
    frames.append(frame)
  }

  /// `clicks`, each with these counts, one frame each, 3 ms apart.
  mutating func turn(
    _ device: String, _ usage: EvdevUsage, clicks: Int, counts: [Int32] = [1],
    every pace: Duration = .milliseconds(250)
  ) {
    for _ in 0..<clicks {
      for count in counts {
        report(device, [EvdevEvent(usage, count)])
        rest(.milliseconds(3))
      }
      rest(pace)
    }
  }

  mutating func press(_ device: String, _ usage: EvdevUsage, for time: Duration = .milliseconds(120)) {
    report(device, [EvdevEvent(usage, 1)])
    rest(time)
    report(device, [EvdevEvent(usage, 0)])
    rest(.milliseconds(300))
  }

  /// Through `stops`, in steps of a sixtieth of each way.
  mutating func slide(_ device: String, _ usage: EvdevUsage, through stops: [Int32]) {
    for (start, end) in zip(stops, stops.dropFirst()) {
      for step in 1...60 {
        let place = Int64(start) + (Int64(end) - Int64(start)) * Int64(step) / 60
        report(device, [EvdevEvent(usage, Int32(place))])
        rest(.milliseconds(8))
      }
    }
  }

  /// Noise of an axis: back and forth within `span`.
  mutating func jitter(
    _ device: String, _ usage: EvdevUsage, around place: Int32, span: Int32, count: Int = 30
  ) {
    for index in 0..<count {
      report(device, [EvdevEvent(usage, place + (index.isMultiple(of: 2) ? 0 : span))])
      rest(.milliseconds(20))
    }
  }
}

func device(
  _ name: String, node: String? = nil, vendor: UInt16 = 0, product: UInt16 = 0, uniq: String = "",
  phys: String = "",
  links: [String] = [], usages: Set<EvdevUsage> = [.dial], builtIn: Bool = false, title: String? = nil,
  axes: [RecordedAxis] = []
) -> RecordedDevice {
  var identity = DeviceIdentity(node: node ?? "/dev/input/\(name)")
  identity.name = title ?? name
  (identity.vendor, identity.product) = (vendor, product)
  (identity.uniqueName, identity.physicalPath, identity.links) = (uniq, phys, links)
  identity.usages = usages
  identity.bus = builtIn ? 0x19 : 3
  var device = RecordedDevice(name: name, identity: identity)
  device.axes = axes
  return device
}
