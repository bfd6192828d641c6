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

  /// Presses now, and releases by itself.
  func click(_ input: VirtualInput, of entry: DeviceEntry, for duration: Duration) {
    lastClick += 1
    press(input, of: entry, by: .click(lastClick))
    clicks.append((now + duration, lastClick, input, entry))
  }

  /// A connection is closed: what it holds is let go.
  func release(all session: Int) {
    for button in holds.release(all: .session(session)) {
      guard let entry = entry(named: button.device) else { continue }
      inject([EvdevEvent(button.input.usage, 0)], into: entry)
    }
  }
}
