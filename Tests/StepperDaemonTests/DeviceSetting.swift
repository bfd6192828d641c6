import StepperInterfaces
import TestSupport
import Varlink

/// The real daemon on simulated devices, in folders of its own.
final class DeviceSetting {
  let bed: MockBed
  let folder: TemporaryFolder

  /// `commands` are given to the bed before the daemon starts.
  init(_ configuration: String, _ commands: [String] = []) throws {
    (bed, folder) = (try MockBed(), try TemporaryFolder())
    for command in commands { try bed(command) }
    try configure(configuration)
    try bed.start(
      "stepperd", "--user", "--log-level", "debug", "--config", "\(folder.path)/stepperd.toml", "--socket",
      "\(folder.path)/socket")
    try bed.line("Ctrl-C ends it.")
  }

  /// Writes the configuration file.
  func configure(_ configuration: String) throws {
    // Nothing is remembered from one test to the next.
    let daemon = "[daemon]\nstate-directory = \"\(folder.path)\"\n"
    try folder.write(daemon + configuration, to: "stepperd.toml")
  }

  func client() throws -> WireClient { try WireClient("\(folder.path)/socket") }

  func follower() throws -> WireClient {
    let client = try client()
    try client.subscribe()
    _ = try client.next()
    return client
  }

  func device(_ name: String) throws -> DeviceInterface.Device? {
    try client().call(DeviceInterface.List.self, NoParameters()).devices.first { $0.device == name }
  }
}

extension DeviceSetting {
  /// What `GetStatus` names as problems.
  func problems() throws -> [String] {
    try client().call(ManagerInterface.GetStatus.self, NoParameters()).problems
  }

  func reload() throws { _ = try client().call(ManagerInterface.Reload.self, NoParameters()) }
}
