import StepperConfiguration
import StepperCore
import StepperInterfaces

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
    var lines = ["stepperd \(Version.number)", ""]
    lines.append("  configuration  \(configuration ?? "built in; no file needed")")
    lines.append("  socket         \(socket)")
    let present = devices.filter { $0.state != .unused && $0.state != .absent }
    lines += list("devices       ", present.map(describe)) + list("controls      ", controls.map(describe))
    lines += ["", "Try in a second terminal:", ""]
    let address = isUsualSocket ? "" : " --address \(forShell(socket))"
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

  /// Three commands to try first: follow, move, set.
  private var examples: [String] {
    let control = controls.first?.settings
    let name = control?.name ?? "NAME"
    let panel = devices.first { $0.virtual }?.device
    return [
      "watch", panel.map { "press \($0):plus --hold 3s" } ?? "step \(name) +1",
      "set \(name) \(control.map(example) ?? "30")",
    ]
  }

  /// An example of a value to set: the last choice, or the number closest to 30 in the range.
  private func example(of settings: ControlSettings) -> String {
    settings.words.last.map(forShell) ?? settings.nearest(to: 30).description
  }

  /// `text` quoted as one word for a shell.
  private func forShell(_ text: String) -> String {
    if text.allSatisfy({ $0.isLetter || $0.isNumber || "/._-".contains($0) }) { return text }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: #"'\''"#))'"
  }

  private func describe(_ control: ControlConfiguration) -> String {
    let settings = control.settings
    let minimum = settings.minimumValue?.description ?? "-∞"
    let maximum = settings.maximumValue?.description ?? "∞"
    return "\(settings.name): \(minimum)…\(maximum) by \(settings.stepValue)"
  }
}
