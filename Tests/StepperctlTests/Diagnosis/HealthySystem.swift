@testable import StepperCommands
import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import TestSupport

/// The facts of a board on which everything is in order: the installed service, a PowerMate, and alice, who may use it.
enum HealthySystem {
  static let alice = Identity(user: 1000, groups: [1000, 900])
  static let configurationPath = "/etc/stepperd/stepperd.toml"
  static let configuration = """
    [device.knob]
    match = { name = "Griffin PowerMate" }
    [control.volume]
    rotate = "knob:REL_DIAL"
    """

  static func facts(_ change: (inout Facts) -> Void = { _ in }) throws -> Facts {
    var facts = Facts(caller: CallerFacts(identity: alice, environment: [:], version: "1.0"))
    facts.root = SystemRoot("/nonexistent")
    facts.accounts = accounts
    facts.daemons = [DaemonFacts(address: DaemonFacts.systemAddress, answer: answer())]
    facts.hasServiceManager = true
    facts.service = try unit("stepperd.service", source: "systemd/stepperd.service.in")
    facts.socketUnit = try unit("stepperd.socket", source: "systemd/stepperd.socket")
    facts.processes.seesAll = true
    facts.socket.status = FileStatus(kind: .socket, mode: 0o660, owner: 0, group: 900)
    facts.socket.directory = FileStatus(kind: .directory, mode: 0o755, owner: 0, group: 0)
    facts.configuration = ConfigurationFacts(text: configuration, path: configurationPath)
    facts.inputs = [knob()]
    facts.udev.rules = "/usr/lib/udev/rules.d/70-stepperd.rules"
    facts.udev.entries = [
      HardwareEntry(
        pattern: "stepperd:input:b0003v077Dp0410*", isGiven: true,
        file: "/usr/lib/udev/hwdb.d/70-stepperd.hwdb")
    ]
    facts.udev.database = "/usr/lib/udev/hwdb.bin"
    facts.udev.databaseHasEntries = true
    var state = StateFacts(directory: "/var/lib/stepperd")
    state.status = FileStatus(kind: .directory, mode: 0o750, owner: 900, group: 900)
    facts.state = state
    change(&facts)
    return facts
  }

  static let accounts = Accounts(
    users: [
      .init(name: "root", number: 0, group: 0), .init(name: "alice", number: 1000, group: 1000),
      .init(name: "stepperd", number: 900, group: 900),
    ],
    groups: [
      .init(name: "root", number: 0, members: []), .init(name: "alice", number: 1000, members: []),
      .init(name: "stepperd", number: 900, members: ["alice"]),
      .init(name: "input", number: 104, members: []),
      .init(name: "audio", number: 29, members: []),
    ])

  static func unit(_ name: String, source: String) throws -> UnitFacts {
    var unit = UnitFacts(name: name)
    unit.read(try TemporaryFolder.contents(ofSource: source))
    unit["FragmentPath"] = "/usr/lib/systemd/system/\(name)"
    unit["UnitFileState"] = "enabled"
    unit["LoadState"] = "loaded"
    unit["ActiveState"] = "active"
    unit["NeedDaemonReload"] = "no"
    return unit
  }

  static func answer(
    problems: [String] = [], version: String = "1.0", overruns: Int64 = 0,
    state: DeviceInterface.DeviceState = .open,
    controls: [String] = ["volume"], metrics: [ManagerInterface.Metric] = [], latency: Int64 = 40
  ) -> DaemonFacts.Contact {
    let status = ManagerInterface.GetStatus.Reply(
      version: version, instance: "one", configuration: configurationPath, uptimeMicroseconds: 1_000_000,
      sequence: 1, controls: Int64(controls.count), devices: 1, clients: 1, subscriptions: 0, eventsRead: 11,
      overruns: overruns, repliesSent: 1, changesCoalesced: 0, stalls: 0, latencyMedianMicroseconds: latency,
      latencyMaximumMicroseconds: latency, problems: problems, metrics: metrics)
    let device = DeviceInterface.Device(
      device: "knob", name: "Griffin PowerMate", node: "/dev/input/event5", virtual: false, state: state,
      capabilities: [], outputs: [], lights: [], events: 11, overruns: overruns, connects: 1)
    return .status(status, devices: [device], controls: controls)
  }

  static func knob() -> InputFacts {
    var identity = DeviceIdentity(node: "/dev/input/event5")
    identity.name = "Griffin PowerMate"
    (identity.vendor, identity.product) = (0x077d, 0x0410)
    identity.usages = [.relative(7), .key(0x100)]
    identity.properties = ["ID_INPUT": "1", "STEPPERD_DEVICE": "1", "LIBINPUT_IGNORE_DEVICE": "1"]
    var input = InputFacts(identity: identity)
    input.modalias = "b0003v077Dp0410e0400-e0,1,2,k100,r7,amlsfw"
    input.node = FileStatus(kind: .device, mode: 0o660, owner: 0, group: 900)
    return input
  }
}

extension UnitFacts {
  /// Reads settings as systemd does, for what the diagnosis asks for.
  mutating func read(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let mark = line.firstIndex(of: "=") else { continue }
      let (name, value) = (String(line[..<mark]), String(line[line.index(after: mark)...]))
      if value.isEmpty { properties[name] = nil }
      for value in [value] where !value.isEmpty {
        properties[name, default: []].append(value == "any" ? "::/0 0.0.0.0/0" : value)
      }
    }
  }
}

extension Facts {
  /// The finding of a name.
  func finding(_ name: String) -> Finding? { findings.first { $0.name == name } }

  /// The names of everything that is neither in order nor a note.
  var complaints: [String] {
    findings.filter { [.warning, .wrong].contains($0.verdict) }.map(\.name)
  }

  mutating func configure(_ text: String) {
    configuration = ConfigurationFacts(text: text, path: HealthySystem.configurationPath)
  }
}

extension Finding {
  /// The commands among its remedies.
  var commands: [String] {
    remedies.compactMap { if case .command(let text) = $0 { text } else { nil } }
  }
}
