import StepperCore
import StepperText

/// A control before the layers of its bindings are read, because those depend on other controls.
struct ReadControl {
  var configuration: ControlConfiguration
  /// One for each binding of the control, in the same order.
  let bindings: [InputReader.Found]
}

/// Reads `[control.NAME]`.
struct ControlReader {
  let inputs: InputReader
  let outputs: OutputReader
  let profiles: ReadProfiles
  let hooks: HookReader

  func control(named name: String, _ value: ConfigurationValue) -> ReadControl? {
    guard let (own, options) = value.sections(of: ControlKey.self, OptionKey.self) else { return nil }
    let choices = own[.choices].map(ChoiceReader.choices)
    guard let profile = profile(own, options, hasChoices: choices != nil) else { return nil }
    var draft = profile.draft
    draft.settings.name = name
    if let choices { (draft.settings.kind, draft.settings.choices) = (.choice, choices.map(\.name)) }
    options.read(into: &draft)
    draft.checkKind(own, options)
    if draft.settings.kind != .continuous { draft.leaveOutNumbers() }
    let bindings = BindingReader(section: own, settings: draft.settings, inputs: inputs)
    let found = bindings.bindings()
    draft.settings.bindings = found.map(\.binding)
    let resolver = SettingsResolver(draft: draft, options: options, profile: profile)
    var control = ControlConfiguration(settings: resolver.settings())
    (control.profile, control.family) = (profile.name, profile.family)
    own.read(into: &control)
    control.choiceTitles = choices.map(ChoiceReader.titles) ?? ChoiceTitles()
    control.presentation = draft.presentation
    control.outputs = own[.outputs].map(outputs.outputs) ?? []
    control.lights = own[.light].map(outputs.lights) ?? []
    control.hooks = hooks.hooks(own)
    control.settings.warnOfMoments(own, options)
    let restore = own[.restore].map { RestoreReader(settings: control.settings).restore($0) }
    control.restores = restore?.restores ?? (draft.settings.kind != .button)
    control.restoreBounds = restore?.bounds ?? RestoreBounds()
    // A press may have effects outside stepperd that clients should not cause, so clients may press a button only if
    // the configuration permits it.
    if draft.settings.kind == .button, own[.writableBy] == nil { control.writableBy = .nobody }
    control.checkPresentation(own, options)
    return ReadControl(configuration: control, bindings: found)
  }

  /// The profile that the control names, or the default for its kind: `picker` for a choice. nil if the profile cannot
  /// be used; this is reported here, or was reported at the profile.
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
}
