import StepperCore
import StepperInterfaces
import StepperLinux

/// Sends frames to the clients that watch devices: see ``Subscription/Topic/frames(_:)``.
extension Daemon {
  /// Opens the unused devices that a client watches, and closes all other unused devices. Call it whenever a client
  /// starts or stops watching, and whenever devices have changed.
  func updateWatching() {
    for name in devices.changedNames { subscriptions.noteDevice(name) }
    devices.watchUnused { subscriptions.watch($0.name) }
  }

  /// Passes the frames of unused devices to the clients that watch them; returns their number.
  @discardableResult
  func passObserved() -> Int {
    let count = devices.observed.count
    guard count > 0 else { return 0 }
    for frame in devices.observed where subscriptions.watch(frame.device) {
      subscriptions.note(DeviceInterface.Frame(frame), at: frame.time)
    }
    devices.observed.removeAll(keepingCapacity: true)
    return count
  }

  /// Passes a frame that is about to be applied to the clients that watch its device.
  func observe(_ input: Input, at time: Instant) {
    guard let frame = devices.observedFrame(of: input, at: time), subscriptions.watch(frame.device) else {
      return
    }
    subscriptions.note(
      DeviceInterface.Frame(frame, world.consequences(of: input, at: time)), at: frame.time)
  }
}

extension DeviceInterface.Frame {
  init(_ frame: ObservedFrame, _ consequences: [DeviceInterface.Consequence] = []) {
    self.init(
      device: frame.device, monotonicMicroseconds: frame.time.nanoseconds / 1_000,
      resynchronized: frame.isResynchronized,
      events: frame.events.map { .init(code: $0.usage.codeName, value: Int64($0.value)) },
      consequences: consequences)
  }
}

extension World {
  /// What a frame will do to the controls. Call it before the frame is applied.
  fileprivate func consequences(of input: Input, at time: Instant) -> [DeviceInterface.Consequence] {
    engine.explanations(of: input, at: time).map { explanation in
      let settings = adjustedSettings(of: explanation.control)
      return DeviceInterface.Consequence(
        code: explanation.usage.codeName, control: name(of: explanation.control),
        outcome: DeviceInterface.Outcome(rawValue: explanation.outcome.rawValue) ?? .noted,
        before: explanation.before.map(settings.text), after: explanation.after.map(settings.text),
        detents: explanation.detents)
    }
  }
}

extension EvdevUsage {
  /// The name of the code. A code without a name is written as its type and its number: `EV_ABS:0x3f`.
  var codeName: String {
    let name = name
    return name.hasPrefix("0x") ? "\(typeName):\(name)" : name
  }
}
