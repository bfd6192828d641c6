/// A button, knob or fader that drives a control: of a connected device, or of a client.
struct InputSource: Hashable, Sendable {
  var owner: InputOwner
  var usage: EvdevUsage

  init(device: DeviceNumber, usage: EvdevUsage) { (owner, self.usage) = (.device(device), usage) }

  /// An input that a client holds is identified by its number alone.
  init(hold: HoldNumber) { (owner, usage) = (.client(hold), EvdevUsage(type: 0, code: 0)) }
}

/// Who moves an input of a control.
enum InputOwner: Hashable, Sendable {
  case device(DeviceNumber)
  /// A client; nil: it turns a knob, which is not held.
  case client(HoldNumber?)

  var isClient: Bool { if case .client = self { true } else { false } }

  /// nil: the owner is a client.
  var device: DeviceNumber? { if case .device(let device) = self { device } else { nil } }

  /// nil: the owner is a device, or a client that turns a knob.
  var hold: HoldNumber? { if case .client(let hold) = self { hold } else { nil } }
}

/// A button or a fader that a client holds on one control; the daemon numbers them.
package struct HoldNumber: Hashable, Sendable {
  package var rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Who makes a gesture.
package enum EditingOrigin: Hashable, Sendable {
  /// At least one input of a device takes part.
  case device
  case client
}
