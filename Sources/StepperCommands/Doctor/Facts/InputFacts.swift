internal import StepperCore
internal import StepperLinux
internal import StepperText

/// An input device of the machine.
struct InputFacts: Hashable, Sendable {
  var identity: DeviceIdentity
  /// `b0003v077Dp0410e0400-e0,1,2,…`, the key for looking up the device in the hardware database.
  var modalias = ""
  var node: FileStatus?
  var openers: [ProcessFacts] = []

  /// `event5`.
  var systemName: String { identity.node.split(separator: "/").last.map(String.init) ?? "" }
}

/// A process, identified by its name and user.
struct ProcessFacts: Hashable, Sendable {
  var number: Int32
  /// The kernel's name of the process, at most 15 bytes.
  var name: String
  var user: UInt32
  /// The nodes of input devices that it has open.
  var inputCount = 1
}

extension InputFacts {
  /// All input devices with event nodes, from sysfs and the records of udev.
  static func all(_ root: SystemRoot, openers: [String: [ProcessFacts]]) -> [InputFacts] {
    let names = root.names("/sys/class/input").filter { $0.hasPrefix("event") }
    // In the order of their numbers.
    return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { name in
      InputFacts(root, name, openers: openers["/dev/input/\(name)"] ?? [])
    }
  }

  private init(_ root: SystemRoot, _ name: String, openers: [ProcessFacts]) {
    let directory = "/sys/class/input/\(name)"
    func attribute(_ name: String) -> String { root.line("\(directory)/device/\(name)") ?? "" }
    var identity = DeviceIdentity(node: "/dev/input/\(name)")
    identity.name = attribute("name")
    identity.physicalPath = attribute("phys")
    identity.uniqueName = attribute("uniq")
    identity.vendor = UInt16(attribute("id/vendor"), radix: 16) ?? 0
    identity.product = UInt16(attribute("id/product"), radix: 16) ?? 0
    for (kind, type) in [("key", 0x01), ("rel", 0x02), ("abs", 0x03)] as [(String, UInt16)] {
      for code in bits(inWords: attribute("capabilities/\(kind)")) {
        identity.usages.insert(EvdevUsage(type: type, code: code))
      }
    }
    let modalias = attribute("modalias")
    let record = root.text("/run/udev/data/c\(root.line("\(directory)/dev") ?? "13:64")")
    for line in (record ?? "").split(separator: "\n") {
      if line.hasPrefix("S:") { identity.links.append("/dev/\(line.dropFirst(2))") }
      guard line.hasPrefix("E:"), let mark = line.unicodeScalars.firstIndex(of: "=") else { continue }
      let value = line.unicodeScalars[mark...].dropFirst()
      identity.properties[String(line[..<mark].dropFirst(2))] = String(value)
    }
    if let path = root.link(directory), let start = path.place(of: "devices/") {
      identity.properties["DEVPATH"] = "/\(path[start.lowerBound...])"
    }
    self.init(identity: identity)
    // The value is "input:b0003v…"; the hardware database is searched with the whole of it.
    self.modalias = modalias.hasPrefix("input:") ? String(modalias.dropFirst("input:".count)) : modalias
    node = root.status(identity.node)
    self.openers = openers
  }
}

extension InputFacts {
  /// Whether the device may be a stepper: it is neither a keyboard, a mouse nor a touchpad, and reports an axis or a
  /// key other than those that switch the machine off or on.
  var mayBeStepper: Bool {
    let name = identity.name.lowercased()
    let parts = [
      "lid switch", "video bus", "pc speaker", "hdmi", "jack", "gpio_ir_recv",
      "cec", "headset",
    ]
    let isBoards = parts.contains { name.has($0) }
    return !identity.isGeneralPurpose && !identity.usages.isSubset(of: Self.powerKeys) && !isBoards
  }

  /// `KEY_POWER`, `KEY_SLEEP`, `KEY_WAKEUP`.
  private static let powerKeys = Set([116, 142, 143].map { EvdevUsage(type: 1, code: $0) })

  /// Whether the device has an input. A wheel is also present if only its high-resolution axis is.
  func has(_ usage: EvdevUsage) -> Bool {
    DeviceCapabilities(settingsName: "", usages: identity.usages).has(usage)
  }

  /// The names of the inputs, such as `REL_DIAL` and `BTN_0`, with keys last.
  var inputNames: [String] {
    identity.usages.sorted { ($0.type == 1 ? 9 : $0.type, $0.code) < ($1.type == 1 ? 9 : $1.type, $1.code) }
      .map(\.name)
  }

  /// `Griffin PowerMate (/dev/input/event5)`.
  var title: String { "\(identity.name) (\(identity.node))" }
}
