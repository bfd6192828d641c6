import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText
import Varlink

extension ProvidedDevice {
  /// The identity, the inputs and the outputs of a device, validated.
  struct Declaration {
    var identity: DeviceIdentity?
    var usages: [String: EvdevUsage] = [:]
    var countsPerDetent: [UInt16: Int] = [:]
    var axes: [UInt16: AbsoluteAxisInfo] = [:]
    /// Codes of axes whose position is known.
    var placed: Set<UInt16> = []
    /// The names of all outputs.
    var outputs: Set<String> = []
    var effect: String?
    var lights: [String] = []
    var motors: [Motor] = []
    var knobs: [DetentKnob] = []
    var displays: [Display] = []
  }
}

/// Reads and validates the identity, inputs and outputs that a program declares for a device.
extension ProvidedDevice.Declaration {
  typealias Invalid = ProviderInterface.InvalidDevice

  init(_ parameters: ProviderInterface.Attach.Parameters) throws(Invalid) {
    var identity = try Self.identity(parameters.identity)
    for (index, name) in (parameters.keys ?? []).enumerated() {
      _ = try add(name, \.isKey, "key or button such as BTN_0", at: "keys[\(index)]")
    }
    for (index, axis) in (parameters.relative ?? []).enumerated() { try add(axis, at: "relative[\(index)]") }
    for (index, axis) in (parameters.absolute ?? []).enumerated() { try add(axis, at: "absolute[\(index)]") }
    for (index, output) in (parameters.outputs ?? []).enumerated() {
      try add(output, of: parameters, at: "outputs[\(index)]")
    }
    guard !usages.isEmpty || !(parameters.outputs ?? []).isEmpty else {
      throw Invalid(field: "keys", message: "the device has no keys, no axes and no outputs; declare them")
    }
    identity.usages = Set(usages.values)
    self.identity = identity
  }

  // MARK: The identity

  private static func identity(_ identity: ProviderInterface.Identity) throws(Invalid) -> DeviceIdentity {
    let provider = identity.provider
    guard (1...64).contains(provider.utf8.count), provider.utf8.allSatisfy(\.isControlNameByte) else {
      throw Invalid(
        field: "identity.provider",
        message: "must be 1 to 64 of a to z, 0 to 9, \".\", \"_\" and \"-\", found \(quoted(provider))")
    }
    var result = DeviceIdentity(node: "")
    result.provider = provider
    result.name = try line(identity.name, upTo: 255, at: "identity.name")
    guard !result.name.isEmpty else {
      throw Invalid(field: "identity.name", message: "must not be empty: people recognize the device by it")
    }
    result.physicalPath = try line(identity.path ?? "", upTo: 255, at: "identity.path")
    result.uniqueName = try line(identity.serial ?? "", upTo: 255, at: "identity.serial")
    result.vendor = try number(identity.vendor, at: "identity.vendor")
    result.product = try number(identity.product, at: "identity.product")
    return result
  }

  /// Validates a text of one line with at most `most` bytes.
  private static func line(_ text: String, upTo most: Int, at field: String) throws(Invalid) -> String {
    guard text.utf8.count <= most else {
      throw Invalid(field: field, message: "has \(text.utf8.count) bytes; at most \(most) are allowed")
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw Invalid(field: field, message: "must be one line without control characters")
    }
    return text
  }

  /// Reads up to four hexadecimal digits; 0 if `text` is nil.
  private static func number(_ text: String?, at field: String) throws(Invalid) -> UInt16 {
    guard let text else { return 0 }
    guard let number = UInt16(hexadecimal: text) else {
      throw Invalid(
        field: field, message: "must be up to four hexadecimal digits such as 077d, found \(quoted(text))")
    }
    return number
  }

  /// A name for a message, which may be any text.
  static func quoted(_ text: String) -> String { "\"\(text.onOneLine(limit: 64))\"" }

  // MARK: Inputs

  private mutating func add(
    _ name: String, _ fits: KeyPath<EvdevUsage, Bool>, _ kind: String, at field: String
  ) throws(Invalid) -> EvdevUsage {
    guard let usage = EvdevUsage(name: name) else {
      let meant = suggestion(for: name, among: EvdevUsage.allNames).map { "; did you mean \($0)?" } ?? ""
      throw Invalid(
        field: field, message: "the kernel has no code \(Self.quoted(name)); use a \(kind)\(meant)")
    }
    guard usage[keyPath: fits] else {
      throw Invalid(field: field, message: "\(name) is not a \(kind)")
    }
    guard !usages.values.contains(usage) else {
      throw Invalid(field: field, message: "\(name) is declared twice; declare each code once")
    }
    usages[name] = usage
    return usage
  }

  private mutating func add(_ axis: ProviderInterface.RelativeAxis, at field: String) throws(Invalid) {
    let usage = try add(axis.code, \.isRelative, "relative axis such as REL_DIAL", at: "\(field).code")
    guard let counts = axis.countsPerDetent else { return }
    let range = DeviceSettings.countsOfDetent
    guard range.contains(counts) else {
      throw Invalid(
        field: "\(field).countsPerDetent",
        message: "must be from \(range.lowerBound) to \(range.upperBound), found \(counts)")
    }
    guard usage.coarse == usage, usage.highResolution == nil else {
      throw Invalid(
        field: "\(field).countsPerDetent",
        message: "leave it out: the kernel fixes the counts of \(axis.code)")
    }
    if counts > 1 { countsPerDetent[usage.code] = Int(counts) }
  }

  private mutating func add(_ axis: ProviderInterface.AbsoluteAxis, at field: String) throws(Invalid) {
    let usage = try add(axis.code, \.isAbsolute, "absolute axis such as ABS_VOLUME", at: "\(field).code")
    let counts = Int64(Int32.min)...Int64(Int32.max)
    func check(_ value: Int64, _ range: ClosedRange<Int64>, _ name: String) throws(Invalid) -> Int32 {
      guard range.contains(value) else {
        throw Invalid(
          field: "\(field).\(name)",
          message: "must be from \(range.lowerBound) to \(range.upperBound), found \(value)")
      }
      return Int32(value)
    }
    let minimum = try check(axis.minimum, counts, "minimum")
    let maximum = try check(axis.maximum, counts, "maximum")
    guard minimum < maximum else {
      throw Invalid(
        field: "\(field).minimum",
        message: "\(minimum) must be less than the maximum \(maximum); an axis that runs the other way is "
          + "reversed by \"invert\" in the configuration")
    }
    let noise = 0...min(Int64(maximum) - Int64(minimum), Int64(Int32.max))
    var info = AbsoluteAxisInfo(minimum: minimum, maximum: maximum, value: minimum)
    info.fuzz = try check(axis.fuzz ?? 0, noise, "fuzz")
    info.flat = try check(axis.flat ?? 0, noise, "flat")
    if let value = axis.value {
      info.value = try check(value, Int64(minimum)...Int64(maximum), "value")
      placed.insert(usage.code)
    }
    if let touch = axis.touch, usages[touch]?.isKey != true {
      throw Invalid(
        field: "\(field).touch", message: "\(Self.quoted(touch)) is not among \"keys\"; add it there")
    }
    axes[usage.code] = info
  }

  // MARK: Outputs

  private mutating func add(
    _ output: ProviderInterface.Output, of device: ProviderInterface.Attach.Parameters, at field: String
  ) throws(Invalid) {
    let name = try Self.line(output.name, upTo: 64, at: "\(field).name")
    guard !name.isEmpty else { throw Invalid(field: "\(field).name", message: "must not be empty") }
    guard outputs.insert(name).inserted else {
      throw Invalid(field: "\(field).name", message: "\(Self.quoted(name)) is declared twice")
    }
    switch output.kind {
    case .effect:
      guard effect == nil else {
        throw Invalid(field: "\(field).kind", message: "a device has at most one output of kind effect")
      }
      try refuseAxis(of: output, at: field)
      effect = name
    case .light:
      try refuseAxis(of: output, at: field)
      lights.append(name)
    case .position:
      let (usage, code) = try input(
        of: output, \.isAbsolute, "axis that it moves, one of \"absolute\"", at: field)
      let touch = device.absolute?.first { $0.code == code }?.touch
      motors.append(Motor(output: name, usage: usage, axis: code, touch: touch.flatMap { usages[$0] }))
    case .detents:
      let (usage, code) = try input(
        of: output, \.isRelative, "axis whose detents it makes, one of \"relative\"", at: field)
      knobs.append(
        DetentKnob(
          output: name, usage: usage, axis: code, countsPerDetent: Int64(countsPerDetent[usage.code] ?? 1)))
    case .text:
      let what = "key or axis whose control it shows, one that the device has"
      displays.append(
        Display(output: name, usage: try input(of: output, { _ in true }, what, at: field).usage))
    default: break
    }
  }

  private func refuseAxis(of output: ProviderInterface.Output, at field: String) throws(Invalid) {
    guard output.axis == nil else {
      throw Invalid(
        field: "\(field).axis", message: "an output of kind \(output.kind.rawValue) has no axis; leave it out"
      )
    }
  }

  private func input(
    of output: ProviderInterface.Output, _ fits: (EvdevUsage) -> Bool, _ what: String, at field: String
  ) throws(Invalid) -> (usage: EvdevUsage, code: String) {
    guard let code = output.axis, let usage = usages[code], fits(usage), usage.coarse == usage else {
      throw Invalid(
        field: "\(field).axis",
        message: "must be the code of the \(what); found " + (output.axis.map(Self.quoted) ?? "none"))
    }
    return (usage, code)
  }
}
