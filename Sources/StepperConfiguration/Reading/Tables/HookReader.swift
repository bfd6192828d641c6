import StepperCore
import StepperText

/// Reads hooks such as `on-change = ["/usr/bin/notify", "{text}"]`, and `speak`.
struct HookReader {
  let commands: CommandReader

  func hooks(_ section: Section<ControlKey>) -> [HookSettings] {
    let hooks = ControlKey.allCases.compactMap { key in
      key.occasions.isEmpty ? nil : section[key].flatMap { hook($0, named: key.rawValue, key.occasions) }
    }
    return hooks + (section[.speak].flatMap(speech).map { [$0] } ?? [])
  }

  /// The hooks of the whole board.
  func hooks(_ section: Section<DaemonKey>) -> [HookSettings] {
    let occasions: [(DaemonKey, HookOccasion)] = [(.onIdle, .boardIdle), (.onActive, .boardActive)]
    return occasions.compactMap { key, occasion in
      guard let value = section[key] else { return nil }
      if section[.idleAfter] == nil { value.report("needs idle-after = \"5m\" or another time", .key) }
      return hook(value, named: key.rawValue, [occasion])
    }
  }

  private func hook(_ value: ConfigurationValue, named name: String, _ occasions: Set<HookOccasion>)
    -> HookSettings?
  {
    guard case .table = value.node else {
      return command(value).map { HookSettings(name: name, occasions: occasions, command: $0) }
    }
    guard let table = value.section(of: HookKey.self) else { return nil }
    guard let command = table[.command] else {
      return value.refuse("needs command = [\"PROGRAM\", \"ARGUMENT\", …]")
    }
    guard let arguments = self.command(command) else { return nil }
    var settings = HookSettings(name: name, occasions: occasions, command: arguments)
    table.read(into: &settings)
    if !occasions.contains(.change) {
      table[.atStart]?.report("requires on-change, which is run with the present value", .key)
    }
    return settings
  }

  private func command(_ value: ConfigurationValue) -> [String]? {
    guard let texts = commands.command(value) else { return nil }
    if texts.count == 1, texts[0].utf8.contains(UInt8(ascii: " ")) {
      value.report(
        "no shell reads it: write the program and its arguments one by one, [\"PROGRAM\", \"ARGUMENT\"]",
        severity: .warning)
    }
    let known = HookSettings.knownPlaceholders
    for (text, value) in zip(texts, value.elements(upTo: .max)) {
      for name in HookSettings.placeholders(in: text) where !known.contains(name) {
        let braced = known.map { "{\($0)}" }.joined(separator: ", ")
        value.report("there is no {\(excerpt(name))}; known are \(braced)") {
          suggestion(for: name, among: known)
        }
      }
    }
    return texts
  }

  /// The speech programs that `speak` supports.
  private enum Speaker: String, CaseIterable {
    case dispatcher = "spd-say"
    case espeak = "espeak-ng"
  }

  private func speech(_ value: ConfigurationValue) -> HookSettings? {
    if case .boolean(false) = value.node { return nil }
    guard let speaker = value.word(of: Speaker.self) else { return nil }
    commands.warn(ofProgram: speaker.rawValue, at: value)
    // The latest value interrupts the one being spoken. The dispatcher keeps speaking after spd-say has ended and needs
    // an option for this; espeak-ng is ended.
    let options = speaker == .dispatcher ? ["--cancel"] : []
    let command = [speaker.rawValue] + options + ["--", "{speech}"]
    return HookSettings(
      name: ControlKey.speak.rawValue, command: command, debounce: .milliseconds(150), interrupts: true)
  }
}

extension ControlKey {
  /// The occasions that run the hook of this key; empty if the key has no hook.
  var occasions: Set<HookOccasion> {
    switch self {
    case .onChange: return [.change]
    case .onLimit: return [.moment(.minimum), .moment(.maximum), .moment(.limit)]
    default:
      let (prefix, moment) = (rawValue.prefix(3), Moment(rawValue: String(rawValue.dropFirst(3))))
      return prefix == "on-" ? Set(moment.map { [.moment($0)] } ?? []) : []
    }
  }
}
