import StepperCore

/// `[control.NAME]`.
extension ConfigurationReader {
  mutating func control(
    named name: String, _ node: DocumentNode, at path: ValuePath, _ devices: [DeviceConfiguration],
    _ profiles: [Profile]
  ) -> ControlConfiguration? {
    guard let (own, options) = sections(node, at: path, of: ControlKey.self, OptionKey.self) else {
      return nil
    }
    let choices = choices(own)
    guard let profile = profile(own, options, profiles, hasChoices: choices != nil) else { return nil }
    var draft = profile.draft
    draft.settings.name = name
    if let choices { (draft.settings.kind, draft.settings.choices) = (.choice, choices) }
    readOptions(options, into: &draft)
    checkKind(draft, own, options)
    if draft.settings.kind != .continuous { draft.leaveOutNumbers() }
    draft.settings.isEnabled = boolean(own, .enabled) ?? true
    draft.settings.bindings = bindings(own, draft.settings, devices)
    var control = ControlConfiguration(settings: finish(draft, options, taking: profile))
    control.profile = profile.name
    (control.title, control.titles) = titles(own)
    control.unit = text(own, .unit, upTo: ConfigurationLimit.unitBytes)
    control.presentation = draft.presentation
    control.outputs = outputs(own, devices)
    control.lights = lights(own, devices)
    control.hooks = hooks(own)
    warnOfLongPress(own, options, draft.settings.bindings)
    control.restores = boolean(own, .restore) ?? (draft.settings.kind != .button)
    if let access = word(own, .writableBy, of: ControlConfiguration.Access.self) {
      control.writableBy = access
    }
    // It follows its button alone.
    if draft.settings.kind == .button { control.writableBy = .nobody }
    checkPresentation(control, own, options)
    return control
  }

  /// The profile it names, or the one that fits: a choice is a picker. One that is wrong itself has been told,
  /// and what a control makes of it nobody can tell.
  private mutating func profile(
    _ own: Section<ControlKey>, _ options: Section<OptionKey>, _ profiles: [Profile], hasChoices: Bool
  ) -> Profile? {
    var isChoice = hasChoices
    if options[.kind]?.node.isText(ControlKind.choice.rawValue) == true { isChoice = true }
    let name = own[.profile] == nil ? (isChoice ? "picker" : Profile.standardName) : text(own, .profile)
    guard let name else { return nil }
    let profile = profiles.first { $0.name.isExactly(name) }
    if profile == nil, !faultyProfiles.contains(name) {
      report(
        "there is no profile \(quoted(name))", at: own.path(of: .profile),
        suggesting: { _ in suggestion(for: name, among: profiles.map(\.name)) })
    }
    return profile
  }

  private mutating func choices(_ section: Section<ControlKey>) -> [String]? {
    guard let item = section[.choices] else { return nil }
    let most = ConfigurationLimit.choices
    guard case .array(let array) = item.node, (1...most).contains(array.elements.count) else {
      report("must be an array of 1 to \(most) names, found \(item.node.found)", at: item.path)
      return nil
    }
    var names: [String] = []
    var different: Set<String> = []
    for (index, element) in array.elements.enumerated() {
      guard let name = text(element.node, at: item.path[index], upTo: ConfigurationLimit.choiceBytes) else {
        continue
      }
      if !different.insert(name).inserted { report("\(quoted(name)) is there already", at: item.path[index]) }
      names.append(name)
    }
    return names
  }

  /// One text, or a table of them by language: `title.de = "Lautstärke"`.
  private mutating func titles(_ section: Section<ControlKey>) -> (title: String?, titles: [String: String]) {
    guard let item = section[.title] else { return (nil, [:]) }
    guard case .table(let table) = item.node else { return (text(section, .title), [:]) }
    var titles: [String: String] = [:]
    for entry in entries(table, upTo: ConfigurationLimit.languages, "languages", at: item.path) {
      let tag = entry.key
      let isTag =
        !tag.isEmpty && tag.utf8.count <= 35
        && tag.utf8.allSatisfy {
          $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
        }
      if !isTag {
        report(
          "must be a language tag such as \"de\" or \"pt-BR\", found \(quoted(tag))", at: item.path[tag], .key
        )
      }
      titles[tag] = text(entry.node, at: item.path[tag])
    }
    if titles.isEmpty { report("must not be empty", at: item.path) }
    let fallback = titles["en"] ?? titles.min { $0.key < $1.key }?.value
    return (fallback, titles)
  }
}
