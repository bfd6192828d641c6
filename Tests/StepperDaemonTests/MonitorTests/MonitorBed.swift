import StepperInterfaces
import TestSupport
import Varlink

/// Simulated devices, the real daemon, and clients that watch.
final class MonitorBed {
  typealias Monitor = DeviceInterface.Monitor

  /// A knob that is used, one that is not, a keyboard that is not, and the virtual front panel.
  static let devices = [
    "add event5 'name=Test Knob' REL_DIAL BTN_0",
    "add event6 'name=Other Knob' vendor=0a0b link=/dev/input/by-path/other REL_X BTN_1 ABS_X=0:1023:17",
    "add event7 'name=Keyboard' property:ID_INPUT=1 property:ID_INPUT_KEYBOARD=1 KEY_A KEY_B",
  ]

  static let configuration = """
    [device.knob]
    match = { name = "Test Knob" }
    [device.panel]
    virtual = true
    [control.volume]
    rotate = ["knob:REL_DIAL", "panel:dial"]
    """

  let bed: MockBed
  let folder: TemporaryFolder

  init(_ configuration: String = configuration, _ devices: [String] = devices) throws {
    (bed, folder) = (try MockBed(), try TemporaryFolder())
    for device in devices { try bed(device) }
    try write(configuration)
    try bed.start(
      "stepperd", "--user", "--log-level", "debug", "--config", "\(folder.path)/stepperd.toml", "--socket",
      "\(folder.path)/socket")
    try bed.line("Ctrl-C ends it.")
  }

  func write(_ configuration: String) throws {
    try folder.write(
      "[daemon]\nstate-directory = \"\(folder.path)\"\n" + configuration, to: "stepperd.toml")
  }

  func client() throws -> WireClient { try WireClient("\(folder.path)/socket") }

  func monitor(_ match: [String]? = nil, unused: Bool? = nil, keyboards: Bool? = nil) throws -> Watcher {
    let client = try client()
    try client.send(Monitor.self, .init(match: match, unused: unused, keyboards: keyboards), mode: .more)
    return Watcher(client, first: try client.reply().decode(Monitor.Reply.self))
  }

  /// Whether so many descriptors of a device become open.
  func opens(_ node: String, _ count: Int) -> Bool {
    Deadline().wait { (try? bed("state \(node)"))?.contains("opened=\(count) ") ?? false }
  }
}

/// A client that watches devices.
final class Watcher {
  let client: WireClient
  let first: DeviceInterface.Monitor.Reply
  private(set) var dropped: Int64 = 0

  init(_ client: WireClient, first: DeviceInterface.Monitor.Reply) {
    (self.client, self.first) = (client, first)
  }

  var names: [String] { first.devices.filter { $0.problem == nil }.map(\.device) }

  func next() throws -> DeviceInterface.Monitor.Reply {
    let reply = try client.reply().decode(DeviceInterface.Monitor.Reply.self)
    dropped += reply.dropped
    return reply
  }

  /// The next frames, `count` of them, as texts: `knob REL_DIAL=1 BTN_0=1`.
  func frames(_ count: Int = 1) throws -> [String] {
    var frames: [String] = []
    while frames.count < count {
      frames += try next().frames.map { frame in
        ([frame.device] + frame.events.map { "\($0.code)=\($0.value)" }).joined(separator: " ")
      }
    }
    return frames
  }

  /// Reads until a device of this name is gone.
  func removal(of name: String) throws { while try !next().removed.contains(name) {} }

  /// Reads until a reply has a device of this name that fits.
  func device(
    _ name: String, where fits: (DeviceInterface.MonitoredDevice) -> Bool = { _ in true }
  ) throws -> DeviceInterface.MonitoredDevice {
    while true {
      if let device = try next().devices.first(where: { $0.device == name && fits($0) }) { return device }
    }
  }
}
