import StepperCore
import StepperDevices

/// `[device.NAME]`.
extension ConfigurationReader {
  mutating func device(named name: String, _ node: DocumentNode, at path: ValuePath) -> DeviceConfiguration? {
    guard let section = section(node, at: path, of: DeviceKey.self) else { return nil }
    var settings = DeviceSettings(name: name)
    settings.isInverted = boolean(section, .invert) ?? false
    settings.countsPerDetent = integer(section, .countsPerDetent, in: 1...100_000) ?? 1
    settings.acceleration = acceleration(section)
    settings.axes = axes(section, isVirtual: boolean(section, .virtual) ?? false)
    var device = DeviceConfiguration(settings: settings, source: source(section))
    device.grabs = boolean(section, .grab) ?? false
    device.strength = double(section, .strength, in: 0...1) ?? 1
    return device
  }

  /// What the device is: a real input device, a virtual one, or something of the LED class.
  private mutating func source(_ section: Section<DeviceKey>) -> DeviceConfiguration.Source {
    let isVirtual = boolean(section, .virtual) ?? false
    if isVirtual, let item = section[.match] {
      report("a virtual device matches nothing; leave out \"match\" or \"virtual\"", at: item.path, .key)
    }
    let keys = [DeviceKey.match, .virtual, .led, .vibrator].filter { section[$0] != nil }
    if keys.count > 1, let last = keys.last, !(isVirtual && last == .virtual) {
      report(
        "a device is only one of \(keys.map { quoted($0.rawValue) }.joined(separator: ", "))",
        at: section.path(of: last), .key)
    }
    if isVirtual { return .virtual }
    if let item = section[.match] { return .matching(matches(item)) }
    if let name = className(section, .led) { return .light(name) }
    if let name = className(section, .vibrator) { return .vibrator(name) }
    if section[.led] == nil, section[.vibrator] == nil {
      report(
        "needs match = { … } to say which device it is, virtual = true, led = \"NAME\" or vibrator = \"NAME\"",
        at: section.path,
        .key)
    }
    return .matching([])
  }

  /// A name in `/sys/class/leds`.
  private mutating func className(_ section: Section<DeviceKey>, _ key: DeviceKey) -> String? {
    guard let name = text(section, key, upTo: 64) else { return nil }
    guard !name.utf8.contains(UInt8(ascii: "/")), !name.isExactly("."), !name.isExactly("..") else {
      report("must be a name in /sys/class/leds, found \(quoted(name))", at: section.path(of: key))
      return nil
    }
    return name
  }

  private mutating func acceleration(_ section: Section<DeviceKey>) -> AccelerationCurve? {
    guard let item = section[.acceleration] else { return nil }
    if case .boolean(let isOn) = item.node { return isOn ? AccelerationCurve() : nil }
    guard case .table = item.node else {
      report("must be true, false or a table { gain, slow, fast }, found \(item.node.found)", at: item.path)
      return nil
    }
    guard let table = self.section(item.node, at: item.path, of: AccelerationKey.self) else { return nil }
    var curve = AccelerationCurve()
    if let gain = double(table, .gain, in: 1...1_000) { curve.maximumGain = gain }
    if let slow = double(table, .slow, in: 0...10_000) { curve.slow = slow }
    if let fast = double(table, .fast, in: 0...10_000) { curve.fast = fast }
    if curve.slow >= curve.fast { report("\"slow\" must be less than \"fast\"", at: item.path) }
    return curve
  }

  // MARK: Axes

  /// `axis = { ABS_X = { minimum = 12, maximum = 1003 } }`.
  private mutating func axes(_ section: Section<DeviceKey>, isVirtual: Bool) -> [UInt16: AxisSettings] {
    guard let item = section[.axis] else { return [:] }
    guard case .table(let table) = item.node else {
      report("must be a table such as { ABS_X = { invert = true } }, found \(item.node.found)", at: item.path)
      return [:]
    }
    var axes: [UInt16: AxisSettings] = [:]
    for entry in table.entries {
      let (name, path) = (entry.key, item.path[entry.key])
      let usage = isVirtual ? VirtualInput(word: name)?.usage : codes.resolve(name)
      guard let usage, usage.isAbsolute else {
        reportUnknownAxis(name, isVirtual: isVirtual, at: path)
        continue
      }
      axes[usage.code] = axis(entry.node, at: path)
    }
    return axes
  }

  private mutating func reportUnknownAxis(_ name: String, isVirtual: Bool, at path: ValuePath) {
    guard !isVirtual else {
      let axis = VirtualInput.fader.rawValue
      return report(
        "a virtual device has the axis \(axis) alone, found \(quoted(name))", at: path, .key,
        suggesting: { _ in suggestion(for: name, among: [axis]) })
    }
    report(
      "there is no absolute axis \(quoted(name))", at: path, .key,
      suggesting: { suggestion(for: name, among: $0.codes.names.filter { $0.hasPrefix("ABS_") }) })
  }

  private mutating func axis(_ node: DocumentNode, at path: ValuePath) -> AxisSettings? {
    guard let table = section(node, at: path, of: AxisKey.self) else { return nil }
    let counts = -Int64(Int32.max)...Int64(Int32.max)
    var settings = AxisSettings()
    settings.isInverted = boolean(table, .invert) ?? false
    settings.deadZone = Int32(integer(table, .deadZone, in: 0...counts.upperBound) ?? 0)
    settings.hysteresis = Int32(integer(table, .hysteresis, in: 0...counts.upperBound) ?? 0)
    switch (integer(table, .minimum, in: counts), integer(table, .maximum, in: counts)) {
    case (let minimum?, let maximum?) where minimum < maximum:
      settings.travel = Int32(minimum)...Int32(maximum)
    case (_?, _?): report("\"minimum\" must be less than \"maximum\"; to turn it round, use invert", at: path)
    case (nil, nil): break
    default: report("needs both \"minimum\" and \"maximum\", or neither", at: path)
    }
    return settings
  }

  // MARK: Matching

  private mutating func matches(_ item: Section<DeviceKey>.Item) -> [DeviceMatch] {
    if case .array(let array) = item.node, array.elements.isEmpty {
      report("must not be empty", at: item.path)
    }
    return elements(item.node, at: item.path, upTo: ConfigurationLimit.alternatives)
      .compactMap { match($0.node, at: $0.path) }
  }

  private mutating func match(_ node: DocumentNode, at path: ValuePath) -> DeviceMatch? {
    guard let section = section(node, at: path, of: MatchKey.self) else { return nil }
    if section.isEmpty { report("must say at least one thing; it would match every device", at: path) }
    var match = DeviceMatch()
    match.name = text(section, .name, upTo: ConfigurationLimit.patternBytes)
    match.physicalPath = text(section, .phys, upTo: ConfigurationLimit.patternBytes)
    match.uniqueName = text(section, .uniq, upTo: ConfigurationLimit.patternBytes)
    match.path = absolutePath(section, .path, upTo: ConfigurationLimit.pathBytes)
    match.vendor = identifier(section, .vendor)
    match.product = identifier(section, .product)
    match.properties = properties(section)
    match.usages = usages(section)
    return match
  }

  /// Four hexadecimal digits, as `lsusb` prints them: a text, because without quotes 0410 and 410 look alike
  /// to nobody but TOML. A number is taken if it is written with `0x`.
  private mutating func identifier(_ section: Section<MatchKey>, _ key: MatchKey) -> UInt16? {
    guard let item = section[key] else { return nil }
    if item.node.isHexadecimal, let number = item.node.integerValue.flatMap({ UInt16(exactly: $0) }) {
      return number
    }
    if case .string(let text) = item.node, text.utf8.count <= 6 {
      let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
      if (1...4).contains(digits.count), let number = UInt16(digits, radix: 16) { return number }
    }
    report(
      "must be up to four hexadecimal digits in quotes such as \"077d\", found \(item.node.found)",
      at: item.path)
    return nil
  }

  private mutating func properties(_ section: Section<MatchKey>) -> [String: String] {
    guard let item = section[.property] else { return [:] }
    guard case .table(let table) = item.node else {
      report("must be a table such as { ID_INPUT_KEY = \"1\" }, found \(item.node.found)", at: item.path)
      return [:]
    }
    return entries(table, upTo: ConfigurationLimit.properties, "patterns", at: item.path)
      .reduce(into: [:]) { result, entry in
        if let pattern = text(entry.node, at: item.path[entry.key], upTo: ConfigurationLimit.patternBytes) {
          result[entry.key] = pattern
        }
      }
  }

  private mutating func usages(_ section: Section<MatchKey>) -> Set<EvdevUsage> {
    guard let item = section[.has] else { return [] }
    var result: Set<EvdevUsage> = []
    for (node, path) in elements(item.node, at: item.path, upTo: ConfigurationLimit.codes) {
      guard let name = text(node, at: path) else { continue }
      if let usage = codes.resolve(name) {
        result.insert(usage)
      } else {
        reportUnknownCode(name, at: path)
      }
    }
    return result
  }

  mutating func reportUnknownCode(_ name: String, at path: ValuePath) {
    report(
      "there is no key or axis \(quoted(name)); use the kernel's names such as \"REL_DIAL\" or \"KEY_VOLUMEUP\"",
      at: path, suggesting: { suggestion(for: name, among: $0.codes.names) })
  }
}
