import StepperCore
import StepperText

/// Reads `[device.NAME]`.
struct DeviceReader {
  let codes: CodeNames

  func device(named name: String, _ value: ConfigurationValue) -> DeviceConfiguration? {
    guard let section = value.section(of: DeviceKey.self) else { return nil }
    var device = DeviceConfiguration(settings: DeviceSettings(name: name), source: source(section))
    section.read(into: &device)
    device.settings.axes = axes(section, isVirtual: device.source == .virtual)
    return device
  }

  /// The source of the device: an input device, a virtual device, or an LED-class device.
  private func source(_ section: Section<DeviceKey>) -> DeviceConfiguration.Source {
    let isVirtual = section[.virtual]?.boolean() ?? false
    if isVirtual {
      section[.match]?.report("a virtual device matches nothing; leave out \"match\" or \"virtual\"", .key)
    }
    let keys = [DeviceKey.match, .virtual, .led, .vibrator].filter { section[$0] != nil }
    if keys.count > 1, let last = keys.last, !(isVirtual && last == .virtual) {
      let names = keys.map { quoted($0.rawValue) }.joined(separator: ", ")
      section[last]?.report("a device is only one of \(names)", .key)
    }
    if isVirtual { return .virtual }
    if let item = section[.match] { return .matching(matches(item)) }
    if let name = className(section, .led) { return .light(name) }
    if let name = className(section, .vibrator) { return .vibrator(name) }
    if section[.led] == nil, section[.vibrator] == nil {
      section.report(
        "needs match = { … } to say which device it is, virtual = true, led = \"NAME\" or vibrator = \"NAME\"",
        .key)
    }
    return .matching([])
  }

  /// A name in `/sys/class/leds`.
  private func className(_ section: Section<DeviceKey>, _ key: DeviceKey) -> String? {
    guard let item = section[key], let name = item.text(upTo: 64) else { return nil }
    return isFileName(name) ? name : item.refuse("must be a name in /sys/class/leds, found \(quoted(name))")
  }

  // MARK: Axes

  /// `axis = { ABS_X = { minimum = 12, maximum = 1003 } }`.
  private func axes(_ section: Section<DeviceKey>, isVirtual: Bool) -> [UInt16: AxisSettings] {
    var axes: [UInt16: AxisSettings] = [:]
    for (name, value) in section[.axis]?.entries("a table such as { ABS_X = { invert = true } }") ?? [] {
      let usage = isVirtual ? VirtualInput(word: name)?.usage : codes.resolve(name)
      guard let usage, usage.isAbsolute else {
        reportUnknownAxis(name, isVirtual: isVirtual, at: value)
        continue
      }
      axes[usage.code] = axis(value)
    }
    return axes
  }

  private func reportUnknownAxis(_ name: String, isVirtual: Bool, at value: ConfigurationValue) {
    let fader = VirtualInput.fader.rawValue
    value.report(
      isVirtual
        ? "a virtual device has the axis \(fader) alone, found \(quoted(name))"
        : "there is no absolute axis \(quoted(name))", .key
    ) { suggestion(for: name, among: isVirtual ? [fader] : codes.all.filter { $0.hasPrefix("ABS_") }) }
  }

  private func axis(_ value: ConfigurationValue) -> AxisSettings? {
    guard let table = value.section(of: AxisKey.self) else { return nil }
    var settings = AxisSettings()
    table.read(into: &settings)
    let counts = AxisKey.counts
    switch (table[.minimum]?.integer(in: counts), table[.maximum]?.integer(in: counts)) {
    case (let minimum?, let maximum?) where minimum < maximum:
      settings.travel = Int32(minimum)...Int32(maximum)
    case (_?, _?): value.report("\"minimum\" must be less than \"maximum\"; to reverse it, use invert")
    case (nil, nil): break
    default: value.report("needs both \"minimum\" and \"maximum\", or neither")
    }
    return settings
  }

  // MARK: Matching

  private func matches(_ item: ConfigurationValue) -> [DeviceMatch] {
    if case .array(let array) = item.node, array.elements.isEmpty { item.report("must not be empty") }
    return item.elements(upTo: ConfigurationLimit.alternatives).compactMap(match)
  }

  private func match(_ value: ConfigurationValue) -> DeviceMatch? {
    guard let section = value.section(of: MatchKey.self) else { return nil }
    if section.isEmpty { value.report("needs a condition: without one it matches every device") }
    var match = DeviceMatch()
    section.read(into: &match)
    match.usages = usages(section)
    for key in [MatchKey.path, .property] where match.provider != nil {
      section[key]?.report(
        "a device of a provider has none, because it is no node of the kernel; use phys or uniq", .key)
    }
    return match
  }

  private func usages(_ section: Section<MatchKey>) -> Set<EvdevUsage> {
    let values = section[.has]?.elements(upTo: ConfigurationLimit.codes) ?? []
    return Set(values.compactMap { value in value.text().flatMap { codes.usage(named: $0, at: value) } })
  }
}
