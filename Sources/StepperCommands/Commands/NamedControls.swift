internal import ArgumentParser
internal import StepperClient

/// Names and patterns of controls on a command line.
enum NamedControls {
  /// Throws for a name that no control has, as `get` does. A pattern that matches no control is only reported, because
  /// it may match one after a reload.
  static func check(_ names: [String], _ client: StepperClient) throws {
    try LimitedText.checkCount(names)
    for name in names {
      if !name.isPattern {
        _ = try client.get(name)
      } else if try client.list(name).isEmpty {
        Output.error("no control matches '\(name)' yet; waiting for one")
      }
    }
  }

  /// The controls that match; throws if there are none.
  static func list(_ name: String, _ client: StepperClient) throws -> [ControlInterface.Control] {
    let controls = try client.list(name)
    guard controls.isEmpty else { return controls }
    if !name.isPattern { _ = try client.get(name) }
    throw CommandFailure("no control matches '\(name)'", code: .noSuchControl)
  }
}

/// Names and patterns of devices on a command line.
enum NamedDevices {
  /// Throws for a name that no device has. A pattern may match a device that is plugged in later.
  static func check(_ names: [String], _ client: StepperClient) throws {
    try LimitedText.checkCount(names)
    let exact = names.filter { !$0.isPattern }
    guard !exact.isEmpty else { return }
    let known = try client.devices().map(\.device)
    for name in exact where !known.contains(name) {
      throw CommandFailure.noSuchDevice(name, among: known, code: .noSuchControl)
    }
  }
}

extension String {
  /// Whether it is a shell pattern for names.
  var isPattern: Bool { contains("*") || contains("?") }
}
