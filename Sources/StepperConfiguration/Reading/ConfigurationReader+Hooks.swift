package import StepperCore

/// `on-change = ["/usr/bin/notify", "{text}"]` and its like, and `speak`.
extension ConfigurationReader {
  mutating func hooks(_ section: Section<ControlKey>) -> [HookConfiguration] {
    var hooks: [HookConfiguration] = []
    for (key, moments) in Self.momentsOfHooks {
      guard let item = section[key], let settings = hook(item, named: key.rawValue) else { continue }
      hooks.append(HookConfiguration(moments: moments, settings: settings))
    }
    if let settings = speech(section) {
      hooks.append(HookConfiguration(moments: nil, settings: settings))
    }
    return hooks
  }

  /// nil: every change of the value, whoever made it.
  private static let momentsOfHooks: [(key: ControlKey, moments: Set<Moment>?)] = [
    (.onChange, nil), (.onLimit, [.minimum, .maximum, .limit]), (.onWrap, [.wrap]), (.onPress, [.press]),
    (.onRelease, [.release]), (.onLongPress, [.longPress]), (.onReset, [.reset]), (.onEnd, [.end]),
    (.onConnect, [.connect]), (.onDisconnect, [.disconnect]),
  ]

  private mutating func hook(_ item: Section<ControlKey>.Item, named name: String) -> HookSettings? {
    guard case .table = item.node else {
      return command(item.node, at: item.path).map { HookSettings(name: name, command: $0) }
    }
    guard let table = section(item.node, at: item.path, of: HookKey.self) else { return nil }
    guard let command = table[.command] else {
      report("needs command = [\"PROGRAM\", \"ARGUMENT\", …]", at: item.path)
      return nil
    }
    guard let arguments = self.command(command.node, at: command.path) else { return nil }
    var settings = HookSettings(name: name, command: arguments)
    let range = Duration.milliseconds(1) ... .seconds(3_600)
    settings.debounce = duration(table, .debounce, in: range)
    if let interval = duration(table, .interval, in: range) { settings.interval = interval }
    if let timeout = duration(table, .timeout, in: range) { settings.timeout = timeout }
    settings.interrupts = boolean(table, .interrupt) ?? false
    return settings
  }

  /// A program and its arguments; no shell reads them.
  private mutating func command(_ node: DocumentNode, at path: ValuePath) -> [String]? {
    let most = ConfigurationLimit.arguments
    let nodes = elements(node, at: path, upTo: .max)
    guard (1...most).contains(nodes.count) else {
      report("must be an array of 1 to \(most) texts, the program and its arguments", at: path)
      return nil
    }
    let texts = nodes.enumerated().compactMap { index, item in
      index == 0
        ? program(item.node, at: item.path)
        : anyText(item.node, at: item.path, upTo: ConfigurationLimit.argumentBytes)
    }
    guard texts.count == nodes.count else { return nil }
    if texts.count == 1, texts[0].utf8.contains(UInt8(ascii: " ")) {
      report(
        "no shell reads it: write the program and its arguments one by one, [\"PROGRAM\", \"ARGUMENT\"]",
        at: path, severity: .warning)
    }
    for (text, place) in zip(texts, nodes) {
      for name in HookSettings.placeholders(in: text) where !HookSettings.knownPlaceholders.contains(name) {
        report(
          "there is no {\(excerpt(name))}; known are \(HookSettings.knownPlaceholders.map { "{\($0)}" }.joined(separator: ", "))",
          at: place.path, suggesting: { _ in suggestion(for: name, among: HookSettings.knownPlaceholders) })
      }
    }
    return texts
  }

  /// A path that does not depend on where the daemon was started, or a name that is looked up in `PATH`.
  private mutating func program(_ node: DocumentNode, at path: ValuePath) -> String? {
    guard let text = text(node, at: path, upTo: ConfigurationLimit.argumentBytes) else { return nil }
    if text.utf8.contains(UInt8(ascii: "/")), !text.begins(with: "/") {
      report("commands begin in /; write the whole path, found \(quoted(text))", at: path)
    }
    return text
  }

  /// Programs that speak, ready to be used.
  private enum Speaker: String, CaseIterable {
    case dispatcher = "spd-say"
    case espeak = "espeak-ng"
  }

  private mutating func speech(_ section: Section<ControlKey>) -> HookSettings? {
    guard let item = section[.speak] else { return nil }
    if case .boolean(false) = item.node { return nil }
    guard let speaker = word(item.node, at: item.path, of: Speaker.self) else { return nil }
    // The latest value interrupts the one that is being said: the dispatcher, which says it after the program
    // has ended, is told so; the other is ended.
    let arguments =
      switch speaker {
      case .dispatcher: ["spd-say", "--cancel", "--", "{speech}"]
      case .espeak: ["espeak-ng", "--", "{speech}"]
      }
    var settings = HookSettings(name: "speak", command: arguments)
    settings.debounce = .milliseconds(150)
    settings.interrupts = true
    return settings
  }
}

/// A hook of a control, and what sets it off.
package struct HookConfiguration: Hashable, Sendable {
  /// nil: every change of the value, whoever made it.
  package var moments: Set<Moment>?
  package var settings: HookSettings
}
