import StepperCore
import StepperText

/// The profiles that controls can use beside the built-in ones, and the names of invalid profiles.
struct ReadProfiles {
  /// The profiles known before, then those of the document; bases precede the profiles derived from them.
  var own: [Profile] = []
  /// The names of invalid profiles, whose problems the reader has reported.
  var faulty: Set<String> = []

  /// The profile named `name`, which may be a built-in one.
  subscript(name: String) -> Profile? {
    Profile.builtIn(named: name) ?? own.first { $0.name.isExactly(name) }
  }
}

/// Reads `[profile.NAME]`.
struct ProfileReader {
  /// Profiles beside those of the document and the built-in ones.
  var known: [Profile] = []
  /// Whether the document is one of stepperd's own: its names may have parts such as `gtk/gtk3`, and its profiles are
  /// derived only from each other.
  var isBuiltIn = false

  func profiles(_ value: ConfigurationValue) -> ReadProfiles {
    let tables = value.namedTables(upTo: ConfigurationLimit.profiles, with: isBuiltIn ? "/" : nil)
    var waiting: [Waiting] = tables.compactMap { name, value in
      if profile(name, in: known) != nil {
        return value.refuse(
          "comes with stepperd; derive your own with another name and base = \(quoted(name))", .key)
      }
      return self.waiting(name, value)
    }
    var result = known
    let names = waiting.map(\.name)
    // Each round reads the profiles with a known base; the remaining ones have an unknown base or a cycle.
    while let index = waiting.firstIndex(where: { table in
      table.base.map { profile($0, in: result) != nil } ?? true
    }) {
      let table = waiting.remove(at: index)
      let base = table.base.flatMap { profile($0, in: result) }
      if let profile = read(table, from: base) { result.append(profile) }
    }
    for table in waiting { reportBase(of: table, among: waiting, names: names) }
    return ReadProfiles(own: result, faulty: Set(tables.map(\.name)).subtracting(result.map(\.name)))
  }

  /// The profile named `name`, among those read so far and the built-in ones.
  private func profile(_ name: String, in own: [Profile]) -> Profile? {
    isBuiltIn ? own.first { $0.name.isExactly(name) } : ReadProfiles(own: own)[name]
  }

  /// Reports why a profile has no base: no profile has that name, or the bases form a cycle. A profile that is merely
  /// derived from such a profile is not reported.
  private func reportBase(of table: Waiting, among waiting: [Waiting], names: [String]) {
    let base = table.base ?? ""
    guard names.contains(base) else {
      table.own[.base]?.report("there is no profile \(quoted(base))") {
        suggestion(for: base, among: Profile.builtIn.map(\.name) + names)
      }
      return
    }
    var ancestor: String? = base
    for _ in waiting {
      guard ancestor != table.name else {
        table.own[.base]?.report("the profile is derived from itself")
        return
      }
      ancestor = waiting.first { $0.name == ancestor }?.base
    }
  }

  /// A profile's table whose base is not known yet.
  private struct Waiting {
    var name: String
    var base: String?
    var about: String
    var own: Section<ProfileKey>
    var options: Section<OptionKey>
  }

  private func waiting(_ name: String, _ value: ConfigurationValue) -> Waiting? {
    guard let (own, options) = value.sections(of: ProfileKey.self, OptionKey.self) else { return nil }
    return Waiting(
      name: name, base: own[.base]?.text() ?? (isBuiltIn ? nil : Profile.standardName),
      about: own[.about]?.text() ?? "of your configuration", own: own, options: options)
  }

  /// Reads a profile; nil if its options contradict each other for every control.
  private func read(_ table: Waiting, from base: Profile?) -> Profile? {
    var draft = base?.draft ?? ControlDraft()
    table.options.read(into: &draft)
    guard isSound(draft, table.options) else { return nil }
    let options = OptionKey.allCases.filter { table.options[$0] != nil }
    return Profile(
      name: table.name, base: base, isBuiltIn: isBuiltIn, about: table.about, draft: draft, options: options)
  }

  /// Whether a control that only names the profile would be valid. Problems are reported.
  private func isSound(_ draft: ControlDraft, _ options: Section<OptionKey>) -> Bool {
    let before = options.problems.errorCount
    var draft = draft
    if draft.settings.kind == .button { options.checkButton() }
    if draft.settings.kind != .continuous { draft.leaveOutNumbers() }
    _ = SettingsResolver(draft: draft, options: options, profile: nil).settings()
    options.checkCurrency(draft.presentation)
    return options.problems.errorCount == before
  }
}
