internal import StepperConfiguration

/// A unit of systemd, as `systemctl show` describes it: its files and drop-ins together, and its state.
struct UnitFacts: Hashable, Sendable {
  var name: String
  /// The values of each property, a line each; those without a value are left out.
  var properties: [String: [String]] = [:]

  /// The properties that are read.
  fileprivate static let properties = [
    "Id", "LoadState", "UnitFileState", "FragmentPath", "DropInPaths", "NeedDaemonReload",
    "ActiveState", "Result", "ExecMainStatus", "ExecStart", "User", "Group", "SupplementaryGroups",
    "Environment",
    "SocketMode", "SocketGroup", "DevicePolicy", "DeviceAllow", "PrivateDevices", "PrivateNetwork",
    "RestrictAddressFamilies", "IPAddressAllow", "IPAddressDeny", "ProtectHome", "ProtectSystem",
    "ReadWritePaths",
    "MemoryDenyWriteExecute", "NoNewPrivileges",
  ]

  subscript(property: String) -> String? {
    get { properties[property]?.last }
    set { properties[property] = newValue.map { [$0] } }
  }

  func lines(_ property: String) -> [String] { properties[property] ?? [] }

  func words(_ property: String) -> [String] {
    lines(property).flatMap { $0.split(separator: " ").map(String.init) }
  }

  /// Whether a boolean setting is on. Some settings also have values other than `yes` and `no`, which do not count as
  /// on.
  func isOn(_ property: String) -> Bool { self[property] == "yes" }

  var file: String? { self["FragmentPath"] }
  var isMasked: Bool { self["LoadState"] == "masked" }
  var isInstalled: Bool { file != nil && !isMasked }
  /// Whether it is started at boot.
  var isEnabled: Bool { self["UnitFileState"] == "enabled" }
  /// Whether a file of the unit has changed since systemd read it.
  var needsReload: Bool { isOn("NeedDaemonReload") }
  var isActive: Bool { ["active", "reloading"].contains(self["ActiveState"]) }
  var isFailed: Bool { self["ActiveState"] == "failed" }
  var isStarting: Bool { self["ActiveState"] == "activating" }
}

extension [String: UnitFacts] {
  /// The units of the programs beside the daemon.
  static let programs = (BridgeProgram.allCases.map(\.rawValue) + ["stepperd-web"]).map { "\($0).service" }

  /// The units of stepperd and its rivals, as the running systemd describes them; empty if systemd is not running.
  init(asking root: SystemRoot) {
    guard root.isRunning, root.exists("/run/systemd/system") else {
      self = [:]
      return
    }
    let names = ["stepperd.service", "stepperd.socket"] + Self.programs + Rival.all.flatMap(\.units)
    let properties = "--property=\(UnitFacts.properties.joined(separator: ","))"
    self.init(shown: ProgramOutput.of(["systemctl", "show", "--no-pager", properties] + names) ?? "")
  }

  /// Reads the output of `systemctl show`: blocks of `KEY=VALUE` with an empty line between two units.
  init(shown text: String) {
    self = [:]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for block in lines.split(whereSeparator: \.isEmpty) {
      var properties: [String: [String]] = [:]
      for line in block {
        let pair = line.split(separator: "=", maxSplits: 1)
        if pair.count == 2 { properties[String(pair[0]), default: []].append(String(pair[1])) }
      }
      if let name = properties["Id"]?.last { self[name] = UnitFacts(name: name, properties: properties) }
    }
  }

  /// Whether connecting to the system's socket would start the service.
  var wouldStartService: Bool {
    guard let socket = self["stepperd.socket"], let service = self["stepperd.service"] else { return false }
    return (socket.isActive || socket.isStarting)
      && ["inactive", "failed"].contains(service["ActiveState"])
  }
}
