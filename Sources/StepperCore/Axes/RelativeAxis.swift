/// One relative axis of one device: which of its events count, and how fast it is being turned.
///
/// Wheels may report each movement twice: coarsely (`REL_WHEEL`) and in 1/120 of a notch (`REL_WHEEL_HI_RES`). Which
/// of the two counts is decided frame by frame: the fine one if it is present. If a device announces the fine axis
/// and then sends a frame without it, only its coarse axis counts from then on (libinput's rule).
struct RelativeAxis: Hashable, Sendable {
  let usage: EvdevUsage
  /// Whether the fine axis of a wheel counts. Readable by others, to explain the effect of an event.
  private(set) var sendsHighResolution: Bool
  /// Counts per detent, according to the device.
  private let unit: Int64
  private var counter = DetentCounter()
  private var speedometer = Speedometer()

  /// Counts of a wheel's notch (v120).
  private static let wheelUnit: Int64 = 120

  /// `usage` is an axis that is not itself a high-resolution axis.
  init(_ usage: EvdevUsage, of device: DeviceCapabilities) {
    self.usage = usage
    sendsHighResolution = usage.highResolution.map(device.usages.contains) ?? false
    unit = usage.highResolution == nil ? Int64(device.countsPerDetent[usage.code] ?? 1) : Self.wheelUnit
  }

  /// A turn: whole detents, clockwise positive.
  struct Turn: Hashable, Sendable {
    var detents: Int64
    /// The steps that the detents are worth at their speed, without sign; nil: the device does not accelerate.
    var acceleratedSteps: Double?
  }

  /// The movement of this axis in the frame; nil if it completes no detent.
  mutating func read(_ events: EvdevEvents, settings: DeviceSettings, at now: Instant) -> Turn? {
    guard let counts = counts(in: events), counts != 0 else { return nil }
    let size = unit.multipliedSaturating(by: Int64(settings.countsPerDetent))
    let detents = counter.add(settings.isInverted ? -counts : counts, per: size, at: now)
    guard detents != 0 else { return nil }
    let speed = speedometer.measure(detents, at: now)
    let steps = settings.acceleration.map { (Double(detents.magnitude) * $0.gain(at: speed)).rounded() }
    return Turn(detents: detents, acceleratedSteps: steps)
  }

  /// Discards the counts of an incomplete detent, and measures the speed from rest again.
  mutating func rest() { (counter, speedometer) = (DetentCounter(), Speedometer()) }

  private mutating func counts(in events: EvdevEvents) -> Int64? {
    let coarse = events.sum(of: usage)
    guard let fine = usage.highResolution else { return coarse }
    guard sendsHighResolution else { return coarse.map { $0 * Self.wheelUnit } }
    if let counts = events.sum(of: fine) { return counts }
    if let coarse {
      sendsHighResolution = false
      return coarse * Self.wheelUnit
    }
    return nil
  }
}

extension EvdevUsage {
  /// The high-resolution twin of a wheel's axis; nil for every other usage.
  package var highResolution: EvdevUsage? {
    switch self {
    case .wheel: .wheelHighResolution
    case .horizontalWheel: .horizontalWheelHighResolution
    default: nil
    }
  }

  /// The axis that a binding refers to: it may name a wheel by its coarse or its fine axis.
  package var coarse: EvdevUsage {
    switch self {
    case .wheelHighResolution: .wheel
    case .horizontalWheelHighResolution: .horizontalWheel
    default: self
    }
  }
}
