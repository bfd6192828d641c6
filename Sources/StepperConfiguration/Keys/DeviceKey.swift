import StepperCore

/// `[device.NAME]`.
enum DeviceKey: String, ConfigurationKey {
  case match, virtual, led, vibrator, grab, invert
  case countsPerDetent = "counts-per-detent"
  case acceleration, axis, strength
  case detentsPerTurn = "detents-per-turn"

  static var standard: DeviceConfiguration {
    DeviceConfiguration(settings: DeviceSettings(name: ""), source: .virtual)
  }

  var key: Key<DeviceConfiguration> {
    switch self {
    case .match, .virtual, .led, .vibrator, .axis: .other
    case .grab: Key(\.grabs, .flag)
    case .invert: Key(\.settings.isInverted, .flag)
    case .countsPerDetent: Key(\.settings.countsPerDetent, .integer(in: DeviceSettings.countsOfDetent))
    case .acceleration: Key { $1.settings.acceleration = $0.acceleration() }
    case .strength: Key(\.strength, .number(in: 0...1))
    case .detentsPerTurn: Key(\.detentsPerTurn, .integer(in: 1...3_600))
    }
  }
}

/// `axis = { ABS_… = { … } }` of a device.
enum AxisKey: String, ConfigurationKey {
  case minimum, maximum, invert, hysteresis
  case deadZone = "dead-zone"

  static var standard: AxisSettings { AxisSettings() }
  static let counts = -Int64(Int32.max)...Int64(Int32.max)

  var key: Key<AxisSettings> {
    switch self {
    case .minimum, .maximum: .other
    case .invert: Key(\.isInverted, .flag)
    case .hysteresis: Key(\.hysteresis, .integer(in: 0...Self.counts.upperBound))
    case .deadZone: Key(\.deadZone, .integer(in: 0...Self.counts.upperBound))
    }
  }
}

/// `match = { … }` of a device.
enum MatchKey: String, ConfigurationKey {
  case provider, name, vendor, product, phys, uniq, path, property, has

  static var standard: DeviceMatch { DeviceMatch() }

  var key: Key<DeviceMatch> {
    switch self {
    case .provider: Key(\.provider, .pattern)
    case .name: Key(\.name, .pattern)
    case .vendor: Key(\.vendor, .identifier)
    case .product: Key(\.product, .identifier)
    case .phys: Key(\.physicalPath, .pattern)
    case .uniq: Key(\.uniqueName, .pattern)
    case .path: Key { $1.path = $0.absolutePath(upTo: ConfigurationLimit.pathBytes) }
    case .property: Key { $1.properties = $0.properties() }
    case .has: .other
    }
  }
}

/// `acceleration = { … }` of a device.
enum AccelerationKey: String, ConfigurationKey {
  case gain, slow, fast

  static var standard: AccelerationCurve { AccelerationCurve() }

  var key: Key<AccelerationCurve> {
    switch self {
    case .gain: Key(\.maximumGain, .number(in: 1...1_000))
    case .slow: Key(\.slow, .number(in: 0...10_000))
    case .fast: Key(\.fast, .number(in: 0...10_000))
    }
  }
}

extension Kind<UInt16> {
  /// Four hexadecimal digits, as `lsusb` prints them. They are a text because 0410 is not a number in TOML. A number is
  /// accepted if it is written with `0x`.
  fileprivate static var identifier: Self {
    Self(
      type: "hexadecimal text such as `\"077d\"`",
      read: { value, _ in
        let node = value.node
        if node.isHexadecimal, let number = node.integerValue.flatMap({ UInt16(exactly: $0) }) {
          return number
        }
        let digits = node.text.map { $0.hasPrefix("0x") ? $0.dropFirst(2) : $0[...] }
        return digits.flatMap { UInt16(hexadecimal: $0) }
          ?? value.refuse(
            "must be up to four hexadecimal digits in quotes such as \"077d\", found \(node.found)")
      }, text: { quoted(String($0, radix: 16)) })
  }
}

extension ConfigurationValue {
  fileprivate func acceleration() -> AccelerationCurve? {
    if case .boolean(let isOn) = node { return isOn ? AccelerationCurve() : nil }
    guard let table = section(of: AccelerationKey.self, "true, false or a table { gain, slow, fast }") else {
      return nil
    }
    var curve = AccelerationCurve()
    table.read(into: &curve)
    if curve.slow >= curve.fast { report("\"slow\" must be less than \"fast\"") }
    return curve
  }

  fileprivate func properties() -> [String: String] {
    let most = ConfigurationLimit.properties
    return entries("a table such as { ID_INPUT_KEY = \"1\" }", upTo: most, "patterns").reduce(into: [:]) {
      $0[$1.key] = $1.value.text(upTo: ConfigurationLimit.patternBytes)
    }
  }
}
