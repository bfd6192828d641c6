import StepperCore
import StepperText

/// A control without the layers of its bindings, which other controls decide.
struct ReadControl {
  var configuration: ControlConfiguration
  /// As many as the control has, in their order.
  let bindings: [InputReader.Found]
}

/// Reads `[control.NAME]`.
struct ControlReader {
  let inputs: InputReader
  let outputs: OutputReader
  let profiles: ReadProfiles

  func control(named name: String, _ value: ConfigurationValue) -> ReadControl? {
    guard let (own, options) = value.sections(of: ControlKey.self, OptionKey.self) else { return nil }
    let choices = choices(own)
    guard let profile = profile(own, options, hasChoices: choices != nil) else { return nil }
    var draft = profile.draft
    draft.settings.name = name
    if let choices { (draft.settings.kind, draft.settings.choices) = (.choice, choices) }
    draft.read(options)
    draft.checkKind(own, options)
    if draft.settings.kind != .continuous { draft.leaveOutNumbers() }
    draft.settings.isEnabled = own[.enabled]?.boolean() ?? true
    let bindings = BindingReader(section: own, settings: draft.settings, inputs: inputs)
    let found = bindings.bindings()
    draft.settings.bindings = found.map(\.binding)
    let resolver = SettingsResolver(draft: draft, options: options, profile: profile)
    var control = ControlConfiguration(settings: resolver.settings())
    control.profile = profile.name
    (control.title, control.titles) = titles(own)
    control.unit = own[.unit]?.text(upTo: ConfigurationLimit.unitBytes)
    control.presentation = draft.presentation
    control.outputs = own[.outputs].map(outputs.outputs) ?? []
    control.lights = own[.light].map(outputs.lights) ?? []
    control.hooks = HookReader.hooks(own)
    draft.settings.bindings.warnOfPresses(own, options)
    control.restores = own[.restore]?.boolean() ?? (draft.settings.kind != .button)
    control.writableBy = own[.writableBy]?.word() ?? control.writableBy
    // It follows its button alone.
    if draft.settings.kind == .button { control.writableBy = .nobody }
    control.checkPresentation(own, options)
    return ReadControl(configuration: control, bindings: found)
  }

  /// The profile it names, or the one that fits: a choice is a picker. nil if it cannot be taken, which is reported
  /// here or was where the profile is.
  private func profile(
    _ own: Section<ControlKey>, _ options: Section<OptionKey>, hasChoices: Bool
  ) -> Profile? {
    let isChoice = hasChoices || options[.kind]?.node.isText(ControlKind.choice.rawValue) == true
    let standard = isChoice ? "picker" : Profile.standardName
    guard let name = own[.profile].map({ $0.text() }) ?? standard else { return nil }
    if let profile = profiles[name] { return profile }
    if !profiles.faulty.contains(name) {
      own[.profile]?.report("there is no profile \(quoted(name))") {
        suggestion(for: name, among: Profile.builtIn.map(\.name) + profiles.own.map(\.name))
      }
    }
    return nil
  }

  private func choices(_ section: Section<ControlKey>) -> [String]? {
    guard let item = section[.choices] else { return nil }
    let most = ConfigurationLimit.choices
    guard case .array(let array) = item.node, (1...most).contains(array.elements.count) else {
      return item.refuse("must be an array of 1 to \(most) names, found \(item.node.found)")
    }
    var names: [String] = []
    var different: Set<String> = []
    for value in item.elements(of: array) {
      guard let name = value.text(upTo: ConfigurationLimit.choiceBytes) else { continue }
      if !different.insert(name).inserted { value.report("\(quoted(name)) is there already") }
      names.append(name)
    }
    return names
  }

  /// One text, or a table of them by language: `title.de = "Lautstärke"`.
  private func titles(_ section: Section<ControlKey>) -> (title: String?, titles: [String: String]) {
    guard let item = section[.title], case .table = item.node else { return (section[.title]?.text(), [:]) }
    var titles: [String: String] = [:]
    for (tag, value) in item.entries(upTo: ConfigurationLimit.languages, "languages") {
      let isTag =
        (1...35).contains(tag.utf8.count)
        && tag.utf8.allSatisfy { isBareKeyByte($0) && $0 != UInt8(ascii: "_") }
      if !isTag {
        value.report("must be a language tag such as \"de\" or \"pt-BR\", found \(quoted(tag))", .key)
      }
      titles[tag] = value.text()
    }
    if titles.isEmpty { item.report("must not be empty") }
    let fallback = titles["en"] ?? titles.min { $0.key < $1.key }?.value
    return (fallback, titles)
  }
}
