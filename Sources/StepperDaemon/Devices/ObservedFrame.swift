import StepperCore
import StepperLinux

/// A frame of a device that a client watches.
struct ObservedFrame {
  /// The name of the device.
  var device: String
  var time: Instant
  var events: EvdevEvents
  /// Whether the events are the state of the device after a loss.
  var isResynchronized = false
}

extension ObservedFrame {
  init(device: String, _ state: Resynchronization) {
    self.init(device: device, time: state.time, events: state.events, isResynchronized: true)
  }
}
