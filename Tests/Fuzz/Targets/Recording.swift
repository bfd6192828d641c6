import StepperCore

/// Inputs of an engine with their times, as bytes name them.
struct Recording {
  private(set) var inputs: [(time: Instant, input: Input)] = []
  private(set) var time: Instant
  private let configurations: [EngineConfiguration]
  private var source: ByteSource
  /// How many configurations there were before the present one, whose identifiers inputs have.
  private var generation: UInt64 = 0

  /// An input may hold no more; what is longer finds nothing that is not in a shorter one.
  static let longest = 256
  /// The engine catches up with so much; the daemon skips more (design, rule 8).
  private static let stallTolerance = Duration.milliseconds(250)
  private static let devices = (0..<3).map { DeviceNumber($0) }

  /// `configurations` are taken over in turn when the daemon is told to reload.
  init(_ source: ByteSource, of configurations: [EngineConfiguration], at start: Instant) {
    self.source = source
    self.configurations = configurations
    time = start
  }

  /// The next input; `deadline` is when the engine wants to be called. nil at the end.
  mutating func next(deadline: Instant?) -> (time: Instant, input: Input)? {
    guard !source.isEmpty, inputs.count < Self.longest else { return nil }
    let pause = pause()
    let next = time + .nanoseconds(pause)
    let input: Input
    // What the daemon does when it slept too long, before anything else.
    if let deadline, next > deadline, next - deadline > Self.stallTolerance {
      input = .timeSkipped(by: next - deadline)
    } else {
      time = next
      input = self.input()
    }
    inputs.append((time, input))
    return (time, input)
  }

  /// Nanoseconds: mostly some milliseconds, sometimes none, sometimes years.
  private mutating func pause() -> Int64 {
    switch source.byte() {
    case let tag where tag < 64: 0
    case let tag where tag < 208: Int64(tag - 64) * 3_000_000
    case let tag where tag < 240: Int64(tag - 208) * 50_000_000
    case 240..<250: Int64(source.byte()) * 3_600_000_000_000
    case 250: 1
    case 251: max(0, Instant.distantFuture.nanoseconds - time.nanoseconds - 1_000_000_000)
    default: Self.farthest / 8
    }
  }

  /// Some 73 years. The kernel's clocks begin at the start of the machine.
  private static let farthest: Int64 = 1 << 61

  private mutating func input() -> Input {
    let control = ControlID(source.index(below: 6) - 1, generation: generation)
    let device = source.element(of: Self.devices) ?? Self.devices[0]
    let hold = HoldNumber(Int64(source.index(below: 4)))
    switch source.index(below: 20) {
    case 16: return .press(control, hold, source.element(of: PressAction.allCases) ?? .increment)
    case 17: return .release(control, hold)
    case 18: return .turn(control, detents: source.integer())
    case 19: return .slide(control, hold, position: source.integer())
    case 0: return .deviceAdded(device, capabilities())
    case 1: return .deviceRemoved(device)
    case 2: return .resynchronized(device, events(), keysDown: Set(keys.filter { _ in source.flag() }))
    case 3:
      let number = source.flag() ? number() : nil
      let flags = source.byte()
      let sequence = flags & 4 != 0 ? source.integer() : nil
      return .set(
        control, SetRequest(number, clamps: flags & 1 != 0, ifSequence: sequence, isText: flags & 2 != 0))
    case 4: return .step(control, source.integer(), source.flag() ? .page : .step)
    case 5: return .reset(control)
    case 6: return .adjust(control, adjustment(of: control))
    case 7: return .restored(control, source.flag() ? number() : nil)
    case 8:
      generation += 1
      return .configured(source.element(of: configurations) ?? configurations[0])
    case 9: return .everythingReleased
    case 10: return .timeSkipped(by: .milliseconds(Int64(source.byte()) * 40))
    default: return .frame(device, events())
    }
  }

  /// As a client's `value` or a saved one: any number there is.
  private mutating func number() -> FixedPoint {
    FixedPoint(units: source.integer(), digits: source.index(below: 10))
  }

  /// As the methods let it pass: no more than eighteen digits, and steps that are steps.
  private mutating func adjustment(of control: ControlID) -> Adjustment {
    let controls = configurations[0].controls
    let digits = controls.indices.contains(control.index) ? controls[control.index].precision : 0
    let flags = source.byte()
    func bounded(_ units: Int64) -> Int64 {
      let most = Int64(FixedPoint.mostUnits)
      return min(max(units, -most), most)
    }
    let numbers = (0..<4).map { index in
      flags >> index & 1 == 0 ? nil : FixedPoint(units: bounded(source.integer()), digits: digits)
    }
    return Adjustment(
      minimumValue: numbers[0], maximumValue: numbers[1],
      stepValue: numbers[2].map { FixedPoint(units: max($0.units, 1), digits: digits) },
      pageIncrement: numbers[3].map { FixedPoint(units: max($0.units, 1), digits: digits) })
  }

  private let keys: [EvdevUsage] = [.volumeUp, .volumeDown, .button0]
  private static let usages: [EvdevUsage] = [
    .volumeUp, .volumeDown, .dial, .button0, .absoluteVolume, .wheel, .wheelHighResolution,
    .horizontalWheel, .key(30), EvdevUsage(type: 4, code: 4),
  ]

  private mutating func events() -> EvdevEvents {
    var events = EvdevEvents()
    for _ in 0...source.index(below: 4) {
      let usage = source.element(of: Self.usages) ?? .dial
      let value = source.byte()
      // Presses, releases and single detents, or anything.
      let simple: [Int32] = [0, 1, 1, -1, 2, 3]
      events.append(
        EvdevEvent(usage, value < 192 ? simple[Int(value) % simple.count] : source.eventValue()))
    }
    return events
  }

  private mutating func capabilities() -> DeviceCapabilities {
    var capabilities = DeviceCapabilities.virtual(settingsName: "panel")
    let flags = source.byte()
    if flags & 1 != 0 { capabilities.usages.formUnion([.wheel, .wheelHighResolution]) }
    if flags & 2 != 0 { capabilities.usages.formUnion([.horizontalWheel, .horizontalWheelHighResolution]) }
    if flags & 4 != 0 {
      let ends = [source.eventValue(), source.eventValue()]
      capabilities.axisRanges[EvdevUsage.absoluteVolume.code] = min(ends[0], ends[1])...max(ends[0], ends[1])
      capabilities.axisPositions[EvdevUsage.absoluteVolume.code] = source.eventValue()
    }
    if flags & 8 != 0 { capabilities.settingsName = "other" }
    return capabilities
  }
}
