import StepperCore

/// Inputs of virtual devices.
extension Devices {
  func entry(named name: String) -> DeviceEntry? { index[name] }

  /// Presses a button of a virtual device. `lease`: the time after which the button is released; nil: no time limit.
  func press(_ input: VirtualInput, of entry: DeviceEntry, by session: Int64, for lease: Duration?) {
    let button = VirtualButtons.Button(device: entry.name, input: input)
    if buttons.press(button, by: .session(session), until: lease.map { now + $0 }) {
      inject(EvdevEvent(input.usage, 1), into: entry)
    }
  }

  func release(_ input: VirtualInput, of entry: DeviceEntry, by session: Int64) {
    if buttons.release(.init(device: entry.name, input: input), by: .session(session)) {
      inject(EvdevEvent(input.usage, 0), into: entry)
    }
  }

  /// Presses now, and releases after `duration`.
  func click(_ input: VirtualInput, of entry: DeviceEntry, for duration: Duration) {
    if buttons.click(.init(device: entry.name, input: input), until: now + duration) {
      inject(EvdevEvent(input.usage, 1), into: entry)
    }
  }

  /// Ends the clicks and the leases that are due.
  func endHolds() { release(buttons.endHolds(at: now)) }

  /// Releases the buttons that a closed connection holds.
  func release(all session: Int64) { release(buttons.release(all: .session(session))) }

  private func release(_ buttons: [VirtualButtons.Button]) {
    for button in buttons {
      guard let entry = entry(named: button.device) else { continue }
      inject(EvdevEvent(button.input.usage, 0), into: entry)
    }
  }
}
