package import StepperCore

extension CodeNames {
  /// `REL_DIAL=1 BTN_0=0`.
  func events(_ words: ArraySlice<Substring>) throws(NotationError) -> EvdevEvents {
    guard words.count <= RecordingLimit.codes else {
      throw NotationError("a frame has \(words.count) events; at most \(RecordingLimit.codes) are allowed")
    }
    var events = EvdevEvents()
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else {
        throw NotationError("\(NotationError.quoted(word)) is no event such as REL_DIAL=1")
      }
      events.append(EvdevEvent(try usage(parts[0]), try Words.integer(parts[1], "value of an event")))
    }
    return events
  }

  /// Names of keys and axes.
  func usages(_ words: ArraySlice<Substring>) throws(NotationError) -> [EvdevUsage] {
    guard words.count <= RecordingLimit.codes else {
      throw NotationError(
        "there are \(words.count) names of codes; at most \(RecordingLimit.codes) are allowed")
    }
    var usages: [EvdevUsage] = []
    for word in words { usages.append(try usage(word)) }
    return usages
  }

  /// Adds `REL_DIAL`, `REL_DIAL/4`, `ABS_X=0..1023`, `ABS_X=0..1023@500`, `BTN_0` or, if it is down, `BTN_0=1` to the
  /// capabilities of a device.
  func read(_ word: Substring, into capabilities: inout DeviceCapabilities) throws(NotationError) {
    guard capabilities.usages.count < RecordingLimit.codes else {
      throw NotationError("a device has at most \(RecordingLimit.codes) codes")
    }
    if let slash = word.firstIndex(of: "/") {
      let usage = try usage(word[..<slash])
      let counts: Int = try Words.integer(word[word.index(after: slash)...], "counts of a detent")
      guard usage.isRelative, DeviceSettings.countsOfDetent.contains(Int64(counts)) else {
        throw NotationError("\(NotationError.quoted(word)) is no knob such as REL_DIAL/4")
      }
      capabilities.usages.insert(usage)
      capabilities.countsPerDetent[usage.code] = counts
      return
    }
    let parts = word.split(separator: "=", maxSplits: 1)
    let usage = try usage(parts.first ?? word)
    capabilities.usages.insert(usage)
    guard parts.count > 1 else { return }
    if usage.isKey, parts[1] == "1" {
      capabilities.keysDown.insert(usage)
      return
    }
    let places = parts[1].split(separator: "@", maxSplits: 1)
    guard let ends = places.first, let range = try Self.range(ends) else {
      throw NotationError(
        "\(NotationError.quoted(word)) is no axis such as ABS_X=0..1023 or ABS_X=0..1023@500")
    }
    capabilities.axisRanges[usage.code] = range
    if places.count > 1 {
      capabilities.axisPositions[usage.code] = try Words.integer(places[1], "position")
    }
  }

  /// Reads a range such as `0..1023`; nil if `text` is no range.
  static func range(_ text: Substring) throws(NotationError) -> ClosedRange<Int32>? {
    guard let dots = text.place(of: "..") else { return nil }
    let lower: Int32 = try Words.integer(text[..<dots.lowerBound], "end of an axis")
    let upper: Int32 = try Words.integer(text[dots.upperBound...], "end of an axis")
    guard lower <= upper else {
      throw NotationError(
        "the axis ends at \(upper), below its beginning \(lower); the smaller end comes first")
    }
    return lower...upper
  }

  /// `frame knob REL_DIAL=1 BTN_0=0`.
  package func frame(of device: String, _ events: EvdevEvents) -> String {
    Words.line("frame", device, text(events))
  }

  /// `resync knob ABS_X=3 down BTN_0`, with the pressed keys after `down`.
  package func resynchronization(of device: String, _ events: EvdevEvents, _ keysDown: Set<EvdevUsage>)
    -> String
  {
    let down = keysDown.isEmpty ? "" : "down \(text(keysDown))"
    return Words.line("resync", device, text(events), down)
  }

  /// Reads the words after the device of a resynchronization.
  func resynchronization(
    _ words: inout Words
  ) throws(NotationError) -> (events: EvdevEvents, keysDown: Set<EvdevUsage>) {
    var events = words.all(before: "down")
    return (try self.events(events.all()), Set(try usages(words.all())))
  }

  /// `REL_DIAL=1 BTN_0=0`.
  package func text(_ events: EvdevEvents) -> String {
    events.map { "\(name(of: $0.usage))=\($0.value)" }.joined(separator: " ")
  }

  /// The names, in the order of their types and codes.
  package func text(_ usages: some Sequence<EvdevUsage>) -> String {
    usages.sorted().map(name(of:)).joined(separator: " ")
  }

  /// `REL_DIAL ABS_X=0..1023@500 BTN_0=1`.
  package func text(_ capabilities: DeviceCapabilities) -> String {
    capabilities.usages.sorted().map { usage in
      if usage.isRelative, let counts = capabilities.countsPerDetent[usage.code] {
        return "\(name(of: usage))/\(counts)"
      }
      if capabilities.keysDown.contains(usage) { return "\(name(of: usage))=1" }
      guard usage.isAbsolute, let range = capabilities.axisRanges[usage.code] else { return name(of: usage) }
      let place = capabilities.axisPositions[usage.code].map { "@\($0)" } ?? ""
      return "\(name(of: usage))=\(range.lowerBound)..\(range.upperBound)\(place)"
    }.joined(separator: " ")
  }
}
