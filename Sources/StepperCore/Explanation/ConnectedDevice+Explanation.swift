extension ConnectedDevice {
  /// Lets the events of a frame act on the `controls` one after the other, with the same result as
  /// ``read(_:at:on:)``, and returns the effects of the first ones. An outcome compares the values before and after
  /// its own event.
  mutating func explain(
    _ events: EvdevEvents, at now: Instant, on controls: inout ControlTable, atMost most: Int
  ) -> [EventExplanation] {
    var explained: [EventExplanation] = []
    for part in parts(of: events) {
      guard explained.count < most else {
        read(part, at: now, on: &controls)
        continue
      }
      let attempt = Attempt(part, of: self, at: now)
      let controlled = attempt.controls
      let former = controlled.map { controls.controls[$0] }
      read(part, at: now, on: &controls)
      for (control, former) in zip(controlled, former) {
        let isChanged = former.target.value.units != controls.controls[control].target.value.units
        let outcome = isChanged ? .changed : attempt.reason(at: control, former, routes)
        explained += attempt.usages.map { usage in
          EventExplanation(
            usage: usage, control: controls.id(control),
            outcome: usage == attempt.usage ? outcome : .noted,
            detents: usage == attempt.usage ? attempt.detents : nil)
        }
      }
    }
    return explained.count > most ? Array(explained.prefix(most)) : explained
  }

  /// The events in the order in which they act: keys and faders one by one, and each relative axis as a whole, at the
  /// place of the last relative event.
  private func parts(of events: EvdevEvents) -> [EvdevEvents] {
    var parts: [EvdevEvents] = []
    let turn = events.lastIndex { $0.usage.isRelative }
    for place in events.indices {
      guard events[place].usage.isRelative else {
        parts.append([events[place]])
        continue
      }
      guard place == turn else { continue }
      for axis in relativeAxes {
        var part = EvdevEvents()
        for event in events where event.usage.coarse == axis.usage { part.append(event) }
        if !part.isEmpty { parts.append(part) }
      }
    }
    return parts
  }
}

/// An event, or all events of a relative axis in a frame, about to act on controls.
private struct Attempt {
  private let event: EvdevEvent
  private let source: InputSource
  private let now: Instant
  /// The usages of the events: a wheel may report each movement twice.
  let usages: [EvdevUsage]
  /// The usage that counts.
  let usage: EvdevUsage
  /// The controls that the events are bound to, each once.
  let controls: [Int]
  /// The detents that a relative axis completes; nil: the events are of no relative axis.
  let detents: Int64?
  /// Whether the fader's axis has travel, and its new position; nil: the movement is noise.
  private let hasTravel: Bool
  private let position: FaderAxis.Position?

  /// `part` is not empty, and has the events of one usage or of the two axes of a wheel.
  init(_ part: EvdevEvents, of device: ConnectedDevice, at now: Instant) {
    event = part[part.startIndex]
    self.now = now
    let coarse = event.usage.coarse
    var axis = device.relativeAxes.first { $0.usage == coarse }
    let fine = coarse.highResolution
    let hasFine = axis?.sendsHighResolution == true && part.contains { $0.usage == fine }
    usage = hasFine ? fine ?? coarse : part.contains { $0.usage == coarse } ? coarse : event.usage
    usages = [event.usage] + Set(part.map { $0.usage }).subtracting([event.usage]).sorted()
    source = InputSource(device: device.id, usage: event.usage)
    detents = axis == nil ? nil : axis?.read(part, settings: device.settings, at: now)?.detents ?? 0
    var fader = device.faderAxes[event.usage]
    hasTravel = fader != nil
    position = event.usage.isAbsolute ? fader?.read(event.value) : nil
    var controls: [Int] = []
    let modified = event.usage.isKey ? device.routes.controls(modifiedBy: event.usage) : []
    for control in device.routes.all(of: coarse).map({ $0.control }) + modified
    where !controls.contains(control) {
      controls.append(control)
    }
    self.controls = controls
  }

  /// Why the value of a control stays unchanged; `control` is the control before the events, `routes` are those after
  /// them.
  func reason(at index: Int, _ control: Control, _ routes: Routes) -> EventExplanation.Outcome {
    let all = routes.all(of: usage.coarse).filter { $0.control == index }
    guard !all.isEmpty else { return .noted }
    if event.usage.isKey, event.value != 1 {
      return event.value == 0 ? control.reasonAtRelease(of: source) : .noted
    }
    let active = routes.active(of: usage.coarse).filter { $0.control == index }
    guard !active.isEmpty else { return all.contains(where: { $0.isLive }) ? .modifier : .layer }
    guard control.settings.isEnabled else { return .disabled }
    if event.usage.isKey {
      let reasons = active.map { control.reasonAtPress(of: source, $0, at: now) }
      return reasons.first { $0 != .noted } ?? .noted
    }
    if event.usage.isAbsolute {
      guard hasTravel else { return .noted }
      return position.map { control.reason(ofSliding: source, to: $0) } ?? .partial
    }
    guard control.target.value.units != nil else { return .unset }
    guard detents != 0 else { return .partial }
    return control.reasonAtEnd
  }
}
