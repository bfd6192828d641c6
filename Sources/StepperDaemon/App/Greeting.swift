import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText

/// The text for a person who starts the daemon in a terminal.
package struct Greeting {
  var socket: String
  /// Whether `stepperctl` uses this path by default.
  var isUsualSocket: Bool
  var configuration: String?
  var controls: [ControlConfiguration]
  var devices: [DeviceInterface.Device]

  /// `command` is the command line that starts `stepperctl`.
  package func lines(command: String) -> [String] {
    var lines = ["stepperd \(Product.version)", ""]
    lines.append("  configuration  \(configuration ?? "built in; no file needed")")
    lines.append("  socket         \(socket)")
    let present = devices.filter { $0.state != .unused && $0.state != .absent }
    lines += list("devices       ", present.map(describe)) + list("controls      ", controls.map(describe))
    let address = isUsualSocket ? "" : " --address \(Shell.quoted(socket))"
    let examples = examples
    if !examples.isEmpty { lines += ["", "Try in a second terminal:", ""] }
    lines += examples.map { "  \(command) \($0)\(address)" }
    lines += ["", "Ctrl-C ends it."]
    return lines
  }

  /// One line each, with the title before the first one.
  private func list(_ title: String, _ items: [String]) -> [String] {
    items.enumerated().map { index, item in
      "  \(index == 0 ? title : String(repeating: " ", count: title.count)) \(item)"
    }
  }

  private func describe(_ device: DeviceInterface.Device) -> String {
    if device.virtual {
      return "\(device.device): virtual (\(device.capabilities.map(\.name).joined(separator: ", ")))"
    }
    let what = "\(device.device): \(device.name)" + (device.node.map { " (\($0))" } ?? "")
    return device.problem.map { "\(what): \($0)" } ?? what
  }

  /// Commands to try first that have an effect with this configuration: follow, move, set. None without a control.
  private var examples: [String] {
    guard !controls.isEmpty else { return [] }
    let writable = controls.first { $0.writableBy != .nobody }?.settings
    let movement = virtualMovement ?? writable.map { "step \($0.name) +1" }
    return ["watch"] + [movement, writable.map { "set \($0.name) \(example(of: $0))" }].compactMap(\.self)
  }

  /// A movement of an input of a virtual device that drives a control: preferably of a button that can be held.
  private var virtualMovement: String? {
    let inputs = devices.filter(\.virtual).flatMap { device in
      device.capabilities.filter { !$0.controls.isEmpty }.map {
        (name: "\(device.device):\($0.name)", role: $0.role)
      }
    }
    if let button = inputs.first(where: { $0.role == .button }) {
      return button.name.hasSuffix(":push") ? "click \(button.name)" : "press \(button.name) --hold 3s"
    }
    if let encoder = inputs.first(where: { $0.role == .encoder }) { return "turn \(encoder.name) 3" }
    return inputs.first { $0.role == .axis }.map { "move \($0.name) 50%" }
  }

  /// An example of a value to set: the last choice, or the number closest to 30 in the range.
  private func example(of settings: ControlSettings) -> String {
    settings.words.last.map(Shell.quoted) ?? settings.nearest(to: 30).description
  }

  private func describe(_ control: ControlConfiguration) -> String {
    let settings = control.settings
    let minimum = settings.minimumValue?.description ?? "-∞"
    let maximum = settings.maximumValue?.description ?? "∞"
    return "\(settings.name): \(minimum)…\(maximum) by \(settings.stepValue)"
  }
}
