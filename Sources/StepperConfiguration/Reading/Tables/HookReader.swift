import StepperCore
import StepperText

/// Reads `on-change = ["/usr/bin/notify", "{text}"]` and its like, and `speak`.
struct HookReader {
  /// Why a program cannot be started, as the rest of a sentence; nil: it can.
  let programProblem: (String) -> String?

  func hooks(_ section: Section<ControlKey>) -> [HookSettings] {
    let change = section[.onChange].flatMap { hook($0, named: ControlKey.onChange.rawValue, [.change]) }
    let others = Self.momentsOfHooks.map { key, moments in
      section[key].flatMap { hook($0, named: key.rawValue, Set(moments.map(HookOccasion.moment))) }
    }
    return ([change] + others + [section[.speak].flatMap(speech)]).compactMap(\.self)
  }

  /// Whether one of the hooks speaks.
  func speaks(_ section: Section<ControlKey>) -> Bool {
    guard let value = section[.speak] else { return false }
    if case .boolean(false) = value.node { return false }
    return true
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

  private static let momentsOfHooks: [(key: ControlKey, moments: [Moment])] = [
    (.onLimit, [.minimum, .maximum, .limit]), (.onWrap, [.wrap]), (.onPress, [.press]),
    (.onRelease, [.release]), (.onShortPress, [.shortPress]), (.onDoublePress, [.doublePress]),
    (.onTriplePress, [.triplePress]), (.onLongPress, [.longPress]), (.onReset, [.reset]), (.onEnd, [.end]),
    (.onConnect, [.connect]), (.onDisconnect, [.disconnect]), (.onIdle, [.idle]),
  ]

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

  /// A program and its arguments; no shell reads them.
  private func command(_ value: ConfigurationValue) -> [String]? {
    let most = ConfigurationLimit.arguments
    let values = value.elements(upTo: .max)
    guard (1...most).contains(values.count) else {
      return value.refuse("must be an array of 1 to \(most) texts, the program and its arguments")
    }
    let texts = values.enumerated().compactMap { index, value in
      index == 0 ? program(value) : value.anyText(upTo: ConfigurationLimit.argumentBytes)
    }
    guard texts.count == values.count else { return nil }
    if texts.count == 1, texts[0].utf8.contains(UInt8(ascii: " ")) {
      value.report(
        "no shell reads it: write the program and its arguments one by one, [\"PROGRAM\", \"ARGUMENT\"]",
        severity: .warning)
    }
    let known = HookSettings.knownPlaceholders
    for (text, value) in zip(texts, values) {
      for name in HookSettings.placeholders(in: text) where !known.contains(name) {
        let braced = known.map { "{\($0)}" }.joined(separator: ", ")
        value.report("there is no {\(excerpt(name))}; known are \(braced)") {
          suggestion(for: name, among: known)
        }
      }
    }
    return texts
  }

  /// A path that does not depend on where the daemon was started, or a name that is looked up in `PATH`.
  private func program(_ value: ConfigurationValue) -> String? {
    guard let text = value.text(upTo: ConfigurationLimit.argumentBytes) else { return nil }
    if text.utf8.contains(UInt8(ascii: "/")), !text.begins(with: "/") {
      value.report("commands begin in /; write the whole path, found \(quoted(text))")
    } else if HookSettings.placeholders(in: text).isEmpty {
      warn(ofProgram: text, at: value)
    }
    return text
  }

  /// It may be installed later, so its absence is no error.
  private func warn(ofProgram name: String, at value: ConfigurationValue) {
    guard let problem = programProblem(name) else { return }
    value.report("\(quoted(name)) \(problem), so the command cannot be run", severity: .warning)
  }

  /// Programs that speak, ready to be used.
  private enum Speaker: String, CaseIterable {
    case dispatcher = "spd-say"
    case espeak = "espeak-ng"
  }

  private func speech(_ value: ConfigurationValue) -> HookSettings? {
    if case .boolean(false) = value.node { return nil }
    guard let speaker = value.word(of: Speaker.self) else { return nil }
    warn(ofProgram: speaker.rawValue, at: value)
    // The latest value interrupts the one that is being said: the dispatcher, which speaks after the program has
    // ended, has an option for it; the other is ended.
    let options = speaker == .dispatcher ? ["--cancel"] : []
    let command = [speaker.rawValue] + options + ["--", "{speech}"]
    var settings = HookSettings(name: "speak", command: command, debounce: .milliseconds(150))
    settings.interrupts = true
    return settings
  }
}
