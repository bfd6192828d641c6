package import StepperCore

/// Reads inputs of the engine in the notation of timelines and engine logs: `press plus`, `frame knob REL_DIAL=1`.
///
/// A device is named `knob` or `knob:2` and gets its number when it is added, or its name has the number, as `knob#7`.
/// The part before `:` or `#` is its table in the configuration. A control is given by its name, which short forms may
/// omit for the first control. A control of a former configuration is `@INDEX.GENERATION`. The notation is documented
/// in recordings.md.
package struct InputParser {
  /// The names of keys and axes.
  package let codes: CodeNames
  /// The configuration in which control names are looked up; the word `configure` replaces it.
  package private(set) var configuration: EngineConfiguration
  private var devices: [String: DeviceNumber]
  /// The number of configurations before this one.
  private var generation: UInt64 = 0

  /// `devices` are connected already; the index of each is its number.
  package init(_ configuration: EngineConfiguration, devices: [String] = [], codes: CodeNames) {
    self.configuration = configuration
    self.codes = codes
    self.devices = [:]
    for (index, name) in devices.enumerated() { self.devices[name] = DeviceNumber(index) }
  }

  /// Reads all of `words` as one input. `configure` reads the words after `configure`.
  package mutating func input(
    _ words: Words, configure: (inout Words) throws(NotationError) -> EngineConfiguration
  ) throws(NotationError) -> Input {
    var words = words
    let verb = try words.next("an input")
    let input: Input
    if let request = try request(String(verb), &words) {
      input = request
    } else if let event = try device(String(verb), &words) {
      input = event
    } else if verb == "configure" {
      configuration = try configure(&words)
      generation += 1
      input = .configured(configuration)
    } else {
      throw NotationError(
        "there is no input \(NotationError.quoted(verb)); there are frame, resync, add, remove, press, release, "
          + "kernel-repeat, turn, slide, client, set, step, reset, adjust, restore, configure, skip and "
          + "release-everything"
      )
    }
    try words.end()
    return input
  }

  // MARK: Devices

  /// Reads an input of a device; nil if `verb` is not one of devices.
  private mutating func device(_ verb: String, _ words: inout Words) throws(NotationError) -> Input? {
    switch verb {
    case "press": return try panel(&words, 1)
    case "release": return try panel(&words, 0)
    case "kernel-repeat": return try panel(&words, 2)
    case "turn": return .frame(DeviceNumber(0), [EvdevEvent(.dial, try words.integer("number of detents"))])
    case "slide":
      return .frame(DeviceNumber(0), [EvdevEvent(.absoluteVolume, try words.integer("position"))])
    case "frame": return .frame(try number(&words), try codes.events(words.all()))
    case "resync":
      let id = try number(&words)
      let (events, keysDown) = try codes.resynchronization(&words)
      return .resynchronized(id, events, keysDown: keysDown)
    case "add": return try added(&words)
    case "remove": return .deviceRemoved(try number(&words))
    case "release-everything": return .everythingReleased
    case "skip":
      let word = try words.next("a time")
      guard let duration = TimeText.duration(word) else {
        throw NotationError("\(NotationError.quoted(word)) is no time such as 400ms or 2s")
      }
      return .timeSkipped(by: duration)
    default: return nil
    }
  }

  /// Reads an input of the first device, which is virtual.
  private func panel(_ words: inout Words, _ value: Int32) throws(NotationError) -> Input {
    .frame(DeviceNumber(0), [EvdevEvent(try codes.usage(try words.next("a key")), value)])
  }

  private func number(_ words: inout Words) throws(NotationError) -> DeviceNumber {
    let name = try words.next("a device")
    if let number = try knownNumber(name) { return number }
    throw NotationError("no device \(NotationError.quoted(name)) was added above")
  }

  /// The number in `knob#7`, or that of the device added with this name; nil if there is none.
  private func knownNumber(_ name: Substring) throws(NotationError) -> DeviceNumber? {
    guard let mark = name.lastIndex(of: "#") else { return devices[String(name)] }
    return DeviceNumber(try Words.integer(name[name.index(after: mark)...], "number of a device"))
  }

  /// Reads `add knob:2 REL_DIAL ABS_X=0..1023@500`: a device of the table `[device.knob]`, and the position of its
  /// axis.
  private mutating func added(_ words: inout Words) throws(NotationError) -> Input {
    let name = try words.next("a device")
    var capabilities = DeviceCapabilities(
      settingsName: String(name.prefix { $0 != ":" && $0 != "#" }))
    for word in words.all() { try codes.read(word, into: &capabilities) }
    if let number = try knownNumber(name) { return .deviceAdded(number, capabilities) }
    guard devices.count < RecordingLimit.devices else {
      throw NotationError("at most \(RecordingLimit.devices) devices are allowed")
    }
    let number = DeviceNumber(devices.count)
    devices[String(name)] = number
    return .deviceAdded(number, capabilities)
  }

  // MARK: Clients

  /// Reads a request of a client; nil if `verb` is not one of clients.
  private func request(_ verb: String, _ words: inout Words) throws(NotationError) -> Input? {
    if verb == "client" { return try gesture(&words) }
    guard ["set", "step", "reset", "adjust", "restore"].contains(verb) else { return nil }
    // A control's name may look like a number. A single word is the value.
    let isValueNeeded = ["set", "step", "restore"].contains(verb)
    let control = try isValueNeeded && words.count < 2 ? first : target(&words)
    switch verb {
    case "set": return .set(control, try setRequest(&words))
    case "step":
      let count: Int64 = try words.integer("number of steps")
      return .step(control, count, words.take("page") ? .page : words.take("limit") ? .limit : .step)
    case "adjust": return .adjust(control, try adjustment(&words))
    case "restore": return .restored(control, try words.value("value"))
    default: return .reset(control)
    }
  }

  /// Reads `press volume 3 increment`: an input that a client provides, with the number of its hold.
  private func gesture(_ words: inout Words) throws(NotationError) -> Input {
    let verb = try words.next("press, release, turn or slide")
    // A control's name may look like a number. The first word is the control only if there are more words than needed.
    let needed = verb == "press" || verb == "slide" ? 2 : 1
    let control = try words.count <= needed ? first : target(&words)
    switch verb {
    case "turn": return .turn(control, detents: try words.integer("number of detents"))
    case "release": return .release(control, try hold(&words))
    case "slide": return .slide(control, try hold(&words), position: try words.integer("position"))
    case "press":
      let hold = try hold(&words)
      let word = try words.next("an action")
      guard let action = PressAction.allCases.first(where: { $0.rawValue.isExactly(word) }) else {
        let known = PressAction.allCases.map(\.rawValue).joined(separator: ", ")
        throw NotationError("there is no action \(NotationError.quoted(word)); there are \(known)")
      }
      return .press(control, hold, action)
    default:
      throw NotationError(
        "a client can press, release, turn and slide, found \(NotationError.quoted(verb))")
    }
  }

  private func hold(_ words: inout Words) throws(NotationError) -> HoldNumber {
    HoldNumber(try words.integer("number of a hold"))
  }

  private var first: ControlID { ControlID(0, generation: generation) }

  private func target(_ words: inout Words) throws(NotationError) -> ControlID {
    guard let name = words.first else { return first }
    if let index = configuration.controls.firstIndex(where: { $0.name.isExactly(name) }) {
      _ = try words.next("a control")
      return ControlID(index, generation: generation)
    }
    guard name.hasPrefix("@") else { return first }
    let parts = try words.next("a control").dropFirst().split(separator: ".")
    guard parts.count == 2, let index = Int(parts[0]), let generation = UInt64(parts[1]) else {
      throw NotationError("\(NotationError.quoted(name)) is no control such as @0.1")
    }
    return ControlID(index, generation: generation)
  }

  private func setRequest(_ words: inout Words) throws(NotationError) -> SetRequest {
    var request = SetRequest(try words.value("value"))
    while !words.isEmpty {
      if words.take("clamp") {
        request.clamps = true
      } else if words.take("text") {
        request.isText = true
      } else if words.take("since") {
        request.ifSequence = try words.integer("sequence number")
      } else {
        throw NotationError(
          "behind a value only clamp, text and since NUMBER are allowed, found "
            + NotationError.quoted(try words.next("a word")))
      }
    }
    return request
  }

  /// `minimum=5 maximum=10 step=2 page=5`.
  private func adjustment(_ words: inout Words) throws(NotationError) -> Adjustment {
    var adjustment = Adjustment()
    for pair in words.all() {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let key = AdjustmentKey.all.first(where: { $0.name.isExactly(parts[0]) }) else {
        throw NotationError(
          "\(NotationError.quoted(pair)) is nothing to adjust; only minimum, maximum, step and page are, such as step=2"
        )
      }
      adjustment[keyPath: key.path] = try Words.value(parts[1], "number")
    }
    return adjustment
  }
}

/// A property that can be adjusted, with its word in the notation.
struct AdjustmentKey {
  let name: String
  let path: WritableKeyPath<Adjustment, FixedPoint?>

  static var all: [AdjustmentKey] {
    [
      AdjustmentKey(name: "minimum", path: \.minimumValue),
      AdjustmentKey(name: "maximum", path: \.maximumValue),
      AdjustmentKey(name: "step", path: \.stepValue), AdjustmentKey(name: "page", path: \.pageIncrement),
    ]
  }
}
