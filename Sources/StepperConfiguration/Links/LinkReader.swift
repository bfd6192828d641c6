import StepperCore
import StepperText

/// Reads `[link.NAME]`.
struct LinkReader {
  /// The controls of the document. Controls that could not be read have only a name.
  let controls: [(name: String, settings: ControlSettings?)]
  let commands: CommandReader

  func links(_ value: ConfigurationValue) -> [LinkConfiguration] {
    value.namedTables(upTo: ConfigurationLimit.links).compactMap { link(named: $0.name, $0.value) }
  }

  private func link(named name: String, _ value: ConfigurationValue) -> LinkConfiguration? {
    guard let section = value.section(of: LinkKey.self) else { return nil }
    let target = target(section)
    guard let item = section[.control] else {
      return value.refuse("needs control = \"NAME\", the control that is kept equal")
    }
    guard let control = control(item), let target else { return nil }
    let kind = target.kind
    var link = LinkConfiguration(
      name: name, control: control.name, target: target, curve: kind.curves[0], scope: kind.scope)
    section.read(into: &link)
    if let curve = section[.curve] { link.curve = self.curve(curve, of: kind) ?? link.curve }
    if let mute = section[.mute] { link.mute = self.mute(mute, of: kind, besides: control.name) }
    if let settings = control.settings { check(link, section, item, settings) }
    return link
  }

  // MARK: Controls

  private func control(_ value: ConfigurationValue) -> (name: String, settings: ControlSettings?)? {
    guard let name = value.text(upTo: ConfigurationLimit.nameBytes) else { return nil }
    guard let control = controls.first(where: { $0.name.isExactly(name) }) else {
      return value.refuse("there is no [control.\(excerpt(name))]") {
        suggestion(for: name, among: controls.map(\.name))
      }
    }
    if control.settings?.kind == .button {
      value.report("\(quoted(name)) is a button, which has no value that could be kept equal")
    }
    return control
  }

  private func mute(_ value: ConfigurationValue, of kind: LinkTarget.Kind, besides own: String) -> String? {
    guard kind.hasMute else {
      let those = LinkTarget.Kind.allCases.filter(\.hasMute).map { quoted("\($0.rawValue):…") }
      return value.refuse("only \(those.joined(separator: " and ")) can be muted", .key)
    }
    guard let control = control(value) else { return nil }
    if let found = control.settings?.kind, found != .toggle {
      value.report("\(quoted(control.name)) must be a control of kind \"toggle\", on while it is muted")
    } else if control.name.isExactly(own) {
      value.report("is the control that is kept equal itself; name another one")
    }
    return control.name
  }

  // MARK: The outside

  private func target(_ section: Section<LinkKey>) -> LinkTarget? {
    switch (section[.to], section[.command]) {
    case (nil, nil):
      section.report(
        "needs to = \"pulse:@DEFAULT_SINK@\" or another target, or command = [\"PROGRAM\", …]", .key)
      return nil
    case (_?, let command?): return command.refuse("either \"to\" or \"command\", not both", .key)
    case (let to?, nil): return target(to)
    case (nil, let command?):
      guard case .array = command.node else {
        return command.refuse("must be \(CommandReader.form); no shell reads them")
      }
      return commands.command(command).map(LinkTarget.command)
    }
  }

  private static let forms =
    "\"pulse:SINK\", \"alsa:CARD/ELEMENT\", \"backlight:NAME\" or \"led:NAME\""

  private func target(_ value: ConfigurationValue) -> LinkTarget? {
    guard let text = value.text(upTo: ConfigurationLimit.textBytes) else { return nil }
    guard let colon = text.firstIndex(of: ":") else {
      return value.refuse("must be \(Self.forms), found \(quoted(text))")
    }
    let (kind, name) = (String(text[..<colon]), String(text[text.index(after: colon)...]))
    guard let kind = LinkTarget.Kind(word: kind), kind != .command else {
      return value.refuse("must be \(Self.forms), found \(quoted(text))") {
        suggestion(for: kind, among: LinkTarget.Kind.allCases.filter { $0 != .command }.map(\.rawValue))
      }
    }
    guard !name.isEmpty else { return value.refuse("has nothing behind \(quoted("\(kind.rawValue):"))") }
    switch kind {
    case .alsa: return mixer(name, value)
    case .backlight, .led:
      guard isFileName(name) else {
        return value.refuse("must be a name in /sys/class, not a path, found \(quoted(name))")
      }
      return kind == .led ? .led(name) : .backlight(name)
    default: return .pulse(sink: name)
    }
  }

  private func mixer(_ name: String, _ value: ConfigurationValue) -> LinkTarget? {
    guard let slash = name.firstIndex(of: "/"), slash != name.startIndex,
      name.index(after: slash) != name.endIndex
    else {
      return value.refuse(
        "must be a card and an element such as \"alsa:default/Master\" or \"alsa:hw:0/PCM\", found \(quoted(name))"
      )
    }
    return .alsa(card: String(name[..<slash]), element: String(name[name.index(after: slash)...]))
  }

  // MARK: Both

  private func curve(_ value: ConfigurationValue, of kind: LinkTarget.Kind) -> LinkConfiguration.Curve? {
    guard let curve = value.word(of: LinkConfiguration.Curve.self) else { return nil }
    let known = kind.curves.map { quoted($0.rawValue) }
    return kind.curves.contains(curve)
      ? curve
      : value.refuse(
        "\(quoted(curve.rawValue)) does not apply to \(kind.rawValue); known are \(known.joined(separator: ", "))"
      )
  }

  private func check(
    _ link: LinkConfiguration, _ section: Section<LinkKey>, _ control: ConfigurationValue,
    _ settings: ControlSettings
  ) {
    let isOpen = settings.minimumValue == nil || settings.maximumValue == nil
    if settings.kind == .continuous, isOpen, link.target.kind != .command {
      control.report(
        "the range of \(quoted(link.control)) has an open end, so that \(link.target.kind.rawValue) cannot be spread over it; give it a minimum and a maximum"
      )
    }
    guard let most = link.startAtMost else { return }
    guard settings.kind == .continuous else {
      section[.startAtMost]?.report(
        "has no effect: \(quoted(link.control)) has no range of numbers", .key, severity: .warning)
      return
    }
    if let minimum = settings.minimumValue, most < minimum {
      section[.startAtMost]?.report("is below the minimum of \(quoted(link.control)), \(minimum)")
    }
    if let maximum = settings.maximumValue, most >= maximum, !link.target.kind.isOpen {
      section[.startAtMost]?.report(
        "has no effect: the maximum of \(quoted(link.control)) is \(maximum)", .key, severity: .warning)
    }
  }
}
