import StepperCore

/// Moving the inputs of virtual devices.
extension Devices {
  func entry(named name: String) -> DeviceEntry? { entries.first { $0.name == name } }

  func inject(_ events: [EvdevEvent], into entry: DeviceEntry) {
    guard let id = entry.id else { return }
    entry.events += Int64(events.count)
    entry.frames += 1
    applyPending()
    controls.advance(to: now, applying: .frame(id, events))
  }

  func press(_ input: VirtualInput, of entry: DeviceEntry, by holder: VirtualHolds.Holder) {
    if holds.press(.init(device: entry.name, input: input), by: holder) {
      inject([EvdevEvent(input.usage, 1)], into: entry)
    }
  }

  func release(_ input: VirtualInput, of entry: DeviceEntry, by holder: VirtualHolds.Holder) {
    if holds.release(.init(device: entry.name, input: input), by: holder) {
      inject([EvdevEvent(input.usage, 0)], into: entry)
    }
  }

  /// Presses now, and releases by itself. Clicks of one button that overlap are one, until the last of them ends.
  func click(_ input: VirtualInput, of entry: DeviceEntry, for duration: Duration) {
    let button = VirtualHolds.Button(device: entry.name, input: input)
    press(input, of: entry, by: .click)
    clicks[button] = max(clicks[button] ?? now, now + duration)
  }

  /// Clicks whose time is up end.
  func endClicks() {
    let ended = clicks.filter { $0.value <= now }.sorted { $0.value < $1.value }
    for button in ended.map(\.key) {
      clicks[button] = nil
      if let entry = entry(named: button.device) { release(button.input, of: entry, by: .click) }
    }
  }

  /// A connection is closed: what it holds is let go.
  func release(all session: Int64) {
    for button in holds.release(all: .session(session)) {
      guard let entry = entry(named: button.device) else { continue }
      inject([EvdevEvent(button.input.usage, 0)], into: entry)
    }
  }
}
