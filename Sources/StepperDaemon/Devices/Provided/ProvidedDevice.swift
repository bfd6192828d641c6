import StepperCore
import StepperLinux

/// A device without a node of the kernel. Either a program has attached it, or it is virtual: a virtual device always
/// has the same inputs and is moved by calls.
///
/// Like the kernel for evdev devices, it knows which keys are down and where axes are, and passes on only the events
/// that change something.
final class ProvidedDevice {
  /// The program that has attached the device; nil: the device is virtual.
  let owner: Owner?
  /// nil: the device is virtual.
  let identity: DeviceIdentity?
  let outputs: ProvidedOutputs
  /// The names of its lights.
  let lights: [String]
  /// The counts per detent of relative axes by their codes, where the number is not 1.
  let countsPerDetent: [UInt16: Int]
  /// The keys and axes by the names that the program uses for them.
  private let usagesByName: [String: EvdevUsage]
  /// Every key and axis.
  let usages: Set<EvdevUsage>
  private(set) var axes: [UInt16: AbsoluteAxisInfo]
  /// Axes whose position is known.
  private var placed: Set<UInt16>
  private(set) var keysDown: Set<EvdevUsage> = []
  /// The keys that were down when frames were last passed on; nil: frames are being passed on.
  private var keysBeforeLoss: Set<EvdevUsage>?
  /// The time of the last frame.
  private var last = Instant(nanoseconds: 0)
  private(set) var hasReported = false
  /// When all keys are assumed to be released; nil: no key is down, or there is no lease.
  private(set) var leaseEnd: Instant?
  var motors: [Motor]
  var knobs: [DetentKnob]
  var displays: [Display]
  /// Whether any of its outputs follows a control.
  var followsControls: Bool { !motors.isEmpty || !knobs.isEmpty || !displays.isEmpty }

  struct Owner {
    let handle: String
    /// The number of its session.
    let session: Int64
    let peer: PeerCredentials
    let since: Instant
    let lease: Duration?
  }

  init(_ declaration: Declaration, of owner: Owner?) {
    self.owner = owner
    identity = declaration.identity
    lights = declaration.lights
    outputs = ProvidedOutputs(effect: declaration.effect, lights: declaration.lights)
    usages = Set(declaration.usages.values)
    usagesByName = declaration.usages
    countsPerDetent = declaration.countsPerDetent
    axes = declaration.axes
    placed = declaration.placed
    motors = declaration.motors
    knobs = declaration.knobs
    displays = declaration.displays
  }

  /// A virtual device; its fader starts at its lower end.
  static func virtual() -> ProvidedDevice {
    var declaration = Declaration()
    for input in VirtualInput.allCases { declaration.usages[input.rawValue] = input.usage }
    let travel = VirtualInput.faderRange
    declaration.axes[VirtualInput.fader.usage.code] = AbsoluteAxisInfo(
      minimum: travel.lowerBound, maximum: travel.upperBound, value: travel.lowerBound)
    declaration.placed = [VirtualInput.fader.usage.code]
    return ProvidedDevice(declaration, of: nil)
  }

  /// The key or axis that the program calls `name`; nil: the device was attached without it.
  func usage(named name: String) -> EvdevUsage? { usagesByName[name] }

  func capabilities(settingsName: String) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities(settingsName: settingsName, usages: usages)
    capabilities.countsPerDetent = countsPerDetent
    capabilities.keysDown = keysDown
    for (code, axis) in axes {
      capabilities.axisRanges[code] = axis.travel
      if placed.contains(code) { capabilities.axisPositions[code] = axis.value }
    }
    return capabilities
  }

  // MARK: Frames

  /// The time of a frame with this time stamp: not later than `now`, and not earlier than the frame before it. nil: `now`.
  func time(_ stamp: Instant?, notAfter now: Instant) -> Instant {
    last = min(max(stamp ?? now, last), now)
    return last
  }

  /// Returns the events of a frame at `time` that change something.
  func pass(_ events: EvdevEvents, at time: Instant) -> EvdevEvents {
    var passed = EvdevEvents()
    for event in events {
      if let event = pass(event) {
        passed.append(event)
        noteMotion(event, at: time)
      }
    }
    return passed
  }

  /// Filters an event as the kernel's `input_get_disposition` does; nil: the event changes nothing.
  private func pass(_ event: EvdevEvent) -> EvdevEvent? {
    let usage = event.usage
    if usage.isRelative { return event.value == 0 ? nil : event }
    guard usage.isAbsolute else {
      switch event.value {
      case 0: return keysDown.remove(usage) == nil ? nil : event
      case 1: return keysDown.insert(usage).inserted ? event : nil
      default: return keysDown.contains(usage) ? event : nil
      }
    }
    guard let axis = axes[usage.code] else { return nil }
    let isPlaced = placed.contains(usage.code)
    let value = isPlaced ? axis.defuzzed(event.value) : event.value
    guard value != axis.value || !isPlaced else { return nil }
    let passed = EvdevEvent(usage, value)
    place(passed)
    return passed
  }

  private func noteMotion(_ event: EvdevEvent, at time: Instant) {
    for index in motors.indices where motors[index].usage == event.usage {
      motors[index].noteMotion(at: time)
    }
    for index in knobs.indices where knobs[index].usage == event.usage {
      knobs[index].noteMotion(by: event.value, at: time)
    }
  }

  /// Notes that the states of the outputs that follow controls are unknown.
  func forgetFollowing() {
    for index in motors.indices { motors[index].forget() }
    forgetKnobs()
    for index in displays.indices { displays[index].forget() }
  }

  /// Notes that the detents of knobs are unknown, because their strength has changed.
  func forgetKnobs() {
    for index in knobs.indices { knobs[index].forget() }
  }

  /// Takes the state of the device from the first report of its program. This causes no events, as when a device of the
  /// kernel is opened.
  func begin(keysDown: Set<EvdevUsage>, positions: [EvdevEvent]) {
    self.keysDown = keysDown
    for position in positions { place(position) }
    forgetFollowing()
  }

  private func place(_ position: EvdevEvent) {
    axes[position.usage.code]?.value = position.value
    placed.insert(position.usage.code)
  }

  // MARK: Losses

  /// Takes the state of the device after a loss: only `keysDown` are down, and axes are at `positions`. Returns the
  /// changes as events.
  func resynchronize(keysDown: Set<EvdevUsage>, positions: [EvdevEvent]) -> EvdevEvents {
    var events = keyChanges(from: self.keysDown, to: keysDown)
    self.keysDown = keysDown
    for event in positions
    where axes[event.usage.code]?.value != event.value || !placed.contains(event.usage.code) {
      place(event)
      events.append(event)
    }
    forgetFollowing()
    return events
  }

  /// Call it when frames are not passed on any more, until ``endLoss()``.
  func beginLoss() { keysBeforeLoss = keysDown }

  /// Returns the changes of keys since the last frame that was passed on, and the present positions of all axes.
  func endLoss() -> EvdevEvents {
    guard let former = keysBeforeLoss else { return [] }
    keysBeforeLoss = nil
    var events = keyChanges(from: former, to: keysDown)
    for (code, axis) in axes.sorted(by: { $0.key < $1.key }) where placed.contains(code) {
      events.append(EvdevEvent(.absolute(code), axis.value))
    }
    return events
  }

  private func keyChanges(from former: Set<EvdevUsage>, to present: Set<EvdevUsage>) -> EvdevEvents {
    EvdevEvents(
      former.subtracting(present).sorted().map { EvdevEvent($0, 0) }
        + present.subtracting(former).sorted().map { EvdevEvent($0, 1) })
  }

  // MARK: The lease

  /// Renews the lease: the program has sent a report, which may be empty.
  func reported(at now: Instant) {
    hasReported = true
    guard let lease = owner?.lease else { return }
    leaseEnd = keysDown.isEmpty ? nil : now + lease
  }

  /// Postpones the end of the lease, after a stall.
  func prolongLease(until end: Instant) { leaseEnd = end }

  /// Assumes that all keys are up.
  func releaseKeys() {
    leaseEnd = nil
    keysDown = []
  }
}

extension AbsoluteAxisInfo {
  /// A reported position without noise: the kernel's `input_defuzz_abs_event`.
  fileprivate func defuzzed(_ report: Int32) -> Int32 {
    guard fuzz > 0 else { return report }
    let (new, old, fuzz) = (Int64(report), Int64(value), Int64(fuzz))
    if new > old - fuzz / 2, new < old + fuzz / 2 { return value }
    if new > old - fuzz, new < old + fuzz { return Int32(clamping: (old * 3 + new) / 4) }
    if new > old - fuzz * 2, new < old + fuzz * 2 { return Int32(clamping: (old + new) / 2) }
    return report
  }
}
