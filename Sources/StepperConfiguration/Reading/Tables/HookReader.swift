package import StepperCore
import StepperText

/// Reads `on-change = ["/usr/bin/notify", "{text}"]` and its like, and `speak`.
enum HookReader {
  static func hooks(_ section: Section<ControlKey>) -> [HookConfiguration] {
    var hooks: [HookConfiguration] = []
    for (key, moments) in momentsOfHooks {
      guard let item = section[key], let settings = hook(item, named: key.rawValue) else { continue }
      hooks.append(HookConfiguration(moments: moments, settings: settings))
    }
    if let settings = speech(section) {
      hooks.append(HookConfiguration(moments: nil, settings: settings))
    }
    return hooks
  }

  /// nil: every change of the value, by devices and clients alike.
  private static let momentsOfHooks: [(key: ControlKey, moments: Set<Moment>?)] = [
    (.onChange, nil), (.onLimit, [.minimum, .maximum, .limit]), (.onWrap, [.wrap]), (.onPress, [.press]),
    (.onRelease, [.release]), (.onLongPress, [.longPress]), (.onReset, [.reset]), (.onEnd, [.end]),
    (.onConnect, [.connect]), (.onDisconnect, [.disconnect]),
  ]

  private static func hook(_ value: ConfigurationValue, named name: String) -> HookSettings? {
    guard case .table = value.node else {
      return command(value).map { HookSettings(name: name, command: $0) }
    }
    guard let table = value.section(of: HookKey.self) else { return nil }
    guard let command = table[.command] else {
      value.report("needs command = [\"PROGRAM\", \"ARGUMENT\", …]")
      return nil
    }
    guard let arguments = Self.command(command) else { return nil }
    var settings = HookSettings(name: name, command: arguments)
    let range = Duration.milliseconds(1) ... .seconds(3_600)
    settings.debounce = table[.debounce]?.duration(in: range)
    settings.interval = table[.interval]?.duration(in: range) ?? settings.interval
    settings.timeout = table[.timeout]?.duration(in: range) ?? settings.timeout
    settings.interrupts = table[.interrupt]?.boolean() ?? false
    return settings
  }

  /// A program and its arguments; no shell reads them.
  private static func command(_ value: ConfigurationValue) -> [String]? {
    let most = ConfigurationLimit.arguments
    let values = value.elements(upTo: .max)
    guard (1...most).contains(values.count) else {
      value.report("must be an array of 1 to \(most) texts, the program and its arguments")
      return nil
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
  private static func program(_ value: ConfigurationValue) -> String? {
    guard let text = value.text(upTo: ConfigurationLimit.argumentBytes) else { return nil }
    if text.utf8.contains(UInt8(ascii: "/")), !text.begins(with: "/") {
      value.report("commands begin in /; write the whole path, found \(quoted(text))")
    }
    return text
  }

  /// Programs that speak, ready to be used.
  private enum Speaker: String, CaseIterable {
    case dispatcher = "spd-say"
    case espeak = "espeak-ng"
  }

  private static func speech(_ section: Section<ControlKey>) -> HookSettings? {
    guard let item = section[.speak] else { return nil }
    if case .boolean(false) = item.node { return nil }
    guard let speaker = item.word(of: Speaker.self) else { return nil }
    // The latest value interrupts the one that is being said: the dispatcher, which speaks after the program has
    // ended, has an option for it; the other is ended.
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
  /// nil: every change of the value, by devices and clients alike.
  package var moments: Set<Moment>?
  package var settings: HookSettings
}
