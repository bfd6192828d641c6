package import StepperConfiguration
package import StepperCore
package import StepperText

/// Plays a recording into the engine of a configuration, in virtual time.
///
/// Devices are matched with the tables of the configuration as in the daemon: a device belongs to the first table that
/// matches, and a second device of the table is called `knob:2`. Devices without a table are left out.
package struct RecordingReplay {
  /// The use of a device of the recording.
  package struct Use: Hashable, Sendable {
    /// Its name in the recording.
    package var recorded: String
    /// The kernel's name of the device.
    package var name: String
    /// The name of the device in the daemon: that of its table, with `:2` for a second device; nil if no table matches.
    package var device: String?
    /// The codes that bindings to this table use and that the device does not have.
    package var missing: [EvdevUsage] = []
  }

  package enum Line: Hashable, Sendable {
    case use(Use)
    /// An input or a deadline, with its effects.
    case step(VirtualTime.Step)
    /// The number of frames that are missing here.
    case lost(Instant, Int64)
  }

  /// In the order of ``Recording/devices``.
  package let uses: [Use]
  private let recording: Recording
  private let configuration: EngineConfiguration
  private let codes: CodeNames

  /// The time that is added to a recording without an end, so that gestures end.
  private static let rest = Duration.seconds(1)

  package init(_ recording: Recording, _ configuration: Configuration, codes: CodeNames) {
    self.recording = recording
    self.configuration = EngineConfiguration(configuration)
    self.codes = codes
    var counts: [String: Int] = [:]
    var named: [String: String] = [:]
    uses = recording.devices.map { device in
      var use = Use(recorded: device.name, name: device.identity.name)
      let table = configuration.devices.first { $0.matches(device) }?.settings.name
      guard let table else { return use }
      // A device that is connected again keeps its name.
      if let former = named[device.name], former.prefix(while: { $0 != ":" }) == table {
        use.device = former
      } else {
        let count = counts[table, default: 0] + 1
        counts[table] = count
        use.device = count == 1 ? table : "\(table):\(count)"
        named[device.name] = use.device
      }
      let bound = configuration.controls.flatMap(\.settings.bindings).map(\.input).filter {
        $0.device == table
      }
      let capabilities = device.capabilities(settingsName: table)
      use.missing = Set(bound.map(\.usage)).filter { !capabilities.has($0) }.sorted()
      return use
    }
  }

  /// Calls `body` with every line: the uses of the devices, then the steps.
  package func play(_ body: (Line) -> Void) throws(NotationError) {
    // The use of a device that was plugged in again is printed only once.
    for (index, use) in uses.enumerated() where !uses[..<index].contains(use) { body(.use(use)) }
    var time = VirtualTime(configuration)
    for (index, device) in recording.devices.enumerated() where device.isPresentAtStart {
      try apply(Recording.Entry(.milliseconds(0), .added(index)), to: &time, body)
    }
    for entry in recording.entries { try apply(entry, to: &time, body) }
    guard recording.entries.last?.event != .end else { return }
    try time.wake(until: time.engine.now + Self.rest) { body(.step($0)) }
  }

  private func apply(
    _ entry: Recording.Entry, to time: inout VirtualTime, _ body: (Line) -> Void
  ) throws(NotationError) {
    try time.wake(until: entry.time) { body(.step($0)) }
    guard let (text, input) = input(entry.event) else {
      if case .lost(let count) = entry.event { body(.lost(entry.time, count)) }
      return
    }
    body(.step(time.step(entry.time, text, input)))
  }

  /// The input for an event; nil if no table matches its device, or if the event is not an input.
  private func input(_ event: Recording.Event) -> (text: String, input: Input)? {
    func number(_ place: Int) -> DeviceNumber { DeviceNumber(place + 1) }
    switch event {
    case .frame(let place, let events):
      guard let name = uses[place].device else { return nil }
      return (codes.frame(of: name, events), .frame(number(place), events))
    case .resynchronized(let place, let events, let keysDown):
      guard let name = uses[place].device else { return nil }
      return (
        codes.resynchronization(of: name, events, keysDown),
        .resynchronized(number(place), events, keysDown: keysDown)
      )
    case .added(let place):
      guard let name = uses[place].device else { return nil }
      let capabilities = recording.devices[place].capabilities(
        settingsName: String(name.prefix { $0 != ":" }))
      return ("add \(name)", .deviceAdded(number(place), capabilities))
    case .removed(let place):
      guard let name = uses[place].device else { return nil }
      return ("remove \(name)", .deviceRemoved(number(place)))
    case .lost, .end: return nil
    }
  }
}

extension RecordingReplay.Line {
  /// The line in the notation of timelines, or as comments; empty if there is nothing to show.
  package func texts(codes: CodeNames, hasMoments: Bool) -> [String] {
    switch self {
    case .use(let use): use.lines(codes: codes).map { "# \($0)" }
    case .step(let step): [step.line(hasMoments: hasMoments)].compactMap(\.self)
    case .lost(let time, let count): ["# \(TimeText.text(time)) \(count) frames are missing here"]
    }
  }
}

extension RecordingReplay.Use {
  /// The use for people, a line each.
  fileprivate func lines(codes: CodeNames) -> [String] {
    let subject = "\(recorded)\(name.isEmpty ? "" : " (\(name.onOneLine()))")"
    guard let device else {
      return ["\(subject): no [device.NAME] of the configuration matches it; it is left out"]
    }
    let table = device.prefix { $0 != ":" }
    let use = "\(subject) is \(device), of [device.\(table)]"
    return [use] + missing.map { "\(device) has no \(codes.name(of: $0)), which a control is bound to" }
  }
}

extension DeviceConfiguration {
  func matches(_ device: RecordedDevice) -> Bool {
    switch source {
    case .matching(let matches): matches.contains { $0.matches(device.identity) }
    // A virtual device has no node, and has the name of its table.
    case .virtual:
      device.identity.node.isEmpty && device.identity.usages.contains(.dial) && device.name == settings.name
    case .light, .vibrator: false
    }
  }
}
