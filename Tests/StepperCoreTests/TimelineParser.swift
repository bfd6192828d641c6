import StepperCore
import Testing

/// Reads the inputs of a timeline.
struct TimelineParser {
  var configuration: EngineConfiguration
  /// Names of the connected devices, the number being the place here.
  private var devices = ["panel"]
  /// How many configurations there were before this one.
  private var generation: UInt64 = 0

  init(configuration: EngineConfiguration) { self.configuration = configuration }

  mutating func input(_ words: [Substring]) throws -> Input {
    let arguments = Array(words.dropFirst())
    switch words[0] {
    case "press": return panel(try usage(arguments[0]), 1)
    case "release": return panel(try usage(arguments[0]), 0)
    case "kernel-repeat": return panel(try usage(arguments[0]), 2)
    case "turn": return panel(.dial, try number(arguments[0]))
    case "slide": return panel(.absoluteVolume, try number(arguments[0]))
    case "frame": return .frame(try device(arguments[0]), try events(arguments[1...]))
    case "add": return try added(arguments)
    case "remove": return .deviceRemoved(try device(arguments[0]))
    case "resync":
      let down = arguments.firstIndex(of: "down") ?? arguments.endIndex
      let keys = try arguments[down...].dropFirst().map { try usage($0) }
      return .resynchronized(
        try device(arguments[0]), try events(arguments[1..<down]), keysDown: Set(keys))
    case "set":
      let (control, rest) = try target(arguments)
      let since = rest.firstIndex(of: "since").map { rest[$0 + 1] }
      return .set(
        control,
        SetRequest(
          try value(rest[0]), clamps: rest.contains("clamp"),
          ifSequence: try since.map { try #require(Int64($0)) }, isText: rest.contains("text")))
    case "adjust": return try adjusted(arguments)
    case "step":
      let (control, rest) = try target(arguments)
      return .step(control, try #require(Int64(rest[0])), rest.contains("page") ? .page : .step)
    case "reset": return .reset(try target(arguments).control)
    case "restore":
      let (control, rest) = try target(arguments)
      return .restored(control, try value(rest[0]))
    case "release-everything": return .everythingReleased
    case "skip": return .timeSkipped(by: try duration(arguments[0]) - .milliseconds(0))
    case "configure":
      let lines = arguments.split(separator: ";").map { $0.joined(separator: " ") }
      configuration = try configurationFrom(lines)
      generation += 1
      return .configured(configuration)
    default: throw TimelineError(text: "no such input: \(words[0])")
    }
  }

  private func panel(_ usage: EvdevUsage, _ value: Int32) -> Input {
    .frame(DeviceNumber(0), [EvdevEvent(usage, value)])
  }

  private func target(_ words: [Substring]) throws -> (control: ControlID, rest: [Substring]) {
    let name = words.first ?? ""
    if let index = configuration.controls.firstIndex(where: { $0.name == name }) {
      return (ControlID(index, generation: generation), Array(words.dropFirst()))
    }
    return (ControlID(0, generation: generation), words)
  }

  /// A number, or `unset`.
  private func value(_ word: Substring) throws -> FixedPoint? {
    if word == "unset" { return nil }
    guard let number = FixedPoint(word) else { throw TimelineError(text: "no number: \(word)") }
    return number
  }

  /// `adjust [CONTROL] minimum=5 maximum=10 step=2 page=5`.
  private func adjusted(_ words: [Substring]) throws -> Input {
    let (control, pairs) = try target(words)
    var adjustment = Adjustment()
    for pair in pairs {
      let parts = pair.split(separator: "=")
      let number = try value(parts[1])
      switch parts[0] {
      case "minimum": adjustment.minimumValue = number
      case "maximum": adjustment.maximumValue = number
      case "step": adjustment.stepValue = number
      case "page": adjustment.pageIncrement = number
      default: throw TimelineError(text: "nothing to adjust: \(pair)")
      }
    }
    return .adjust(control, adjustment)
  }

  private func device(_ name: Substring) throws -> DeviceNumber {
    DeviceNumber(try #require(devices.firstIndex(of: String(name)), "no device \(name) was added"))
  }

  /// `add knob:2 REL_DIAL ABS_X=0..1023`: one more device of `[device.knob]`.
  private mutating func added(_ words: [Substring]) throws -> Input {
    var capabilities = DeviceCapabilities(settingsName: String(words[0].split(separator: ":")[0]))
    for word in words.dropFirst() {
      let parts = word.split(separator: "=")
      let usage = try usage(parts[0])
      capabilities.usages.insert(usage)
      if parts.count > 1 {
        // ABS_X=0..1023, or ABS_X=0..1023@500 where it stands there.
        let places = parts[1].split(separator: "@")
        let ends = try places[0].split(separator: ".").map { try number($0) }
        capabilities.axisRanges[usage.code] = ends[0]...ends[1]
        if places.count > 1 { capabilities.axisPositions[usage.code] = try number(places[1]) }
      }
    }
    if let known = devices.firstIndex(of: String(words[0])) {
      return .deviceAdded(DeviceNumber(known), capabilities)
    }
    devices.append(String(words[0]))
    return .deviceAdded(DeviceNumber(devices.count - 1), capabilities)
  }

  private func events(_ words: ArraySlice<Substring>) throws -> EvdevEvents {
    var events = EvdevEvents()
    for word in words {
      let parts = word.split(separator: "=")
      events.append(EvdevEvent(try usage(parts[0]), try number(parts[1])))
    }
    return events
  }
}

struct TimelineError: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

/// `500ms` or `2s`, from the start.
func duration(_ word: some StringProtocol) throws -> Instant {
  if word.hasSuffix("ms") { return .milliseconds(try #require(Int64(word.dropLast(2)), "no time: \(word)")) }
  return .milliseconds(try #require(Int64(word.dropLast()), "no time: \(word)") * 1000)
}

func number(_ word: some StringProtocol) throws -> Int32 { try #require(Int32(word), "no number: \(word)") }

func usage(_ name: some StringProtocol) throws -> EvdevUsage {
  if let input = VirtualInput(rawValue: String(name)) { return input.usage }
  return try #require(usages[String(name)], "no such code: \(name)")
}

/// The kernel's names that timelines use.
let usages: [String: EvdevUsage] = [
  "REL_X": .relative(0), "REL_DIAL": .dial, "REL_WHEEL": .wheel, "REL_WHEEL_HI_RES": .wheelHighResolution,
  "KEY_VOLUMEUP": .volumeUp, "KEY_VOLUMEDOWN": .volumeDown, "BTN_0": .button0, "BTN_1": .key(0x101),
  "BTN_2": .key(0x102), "BTN_3": .key(0x103),
  "ABS_X": .absolute(0), "ABS_Y": .absolute(1),
]
