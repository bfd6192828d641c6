import StepperCore

/// `[profile.NAME]`.
extension ConfigurationReader {
  /// Profiles that are `known` and then those of the document that are sound, bases before those that are
  /// derived from them.
  /// Nothing is known while the built-in ones are read, whose names have parts.
  mutating func profiles(_ item: Section<RootKey>.Item, known: [Profile]) -> [Profile] {
    let isBuiltIn = known.isEmpty
    let tables = namedTables(
      item, at: ConfigurationLimit.profiles, allowed: "lower-case letters, digits, - and _"
    ) {
      isDeviceNameByte($0) || isBuiltIn && $0 == UInt8(ascii: "/")
    }
    var waiting: [Waiting] = tables.compactMap { table in
      if known.contains(where: { $0.name.isExactly(table.name) }) {
        report(
          "comes with stepperd; derive your own with another name and base = \(quoted(table.name))",
          at: table.path, .key)
        return nil
      }
      return profile(named: table.name, table.node, at: table.path, isBuiltIn: isBuiltIn)
    }
    var result = known
    let names = known.map(\.name) + waiting.map(\.name)
    // Each round takes those whose base is known; what is left has none, or itself.
    while let index = waiting.firstIndex(where: { table in
      table.base == nil || result.contains { $0.name == table.base }
    }) {
      let table = waiting.remove(at: index)
      if let profile = read(table, from: result.first { $0.name == table.base }) { result.append(profile) }
    }
    for table in waiting { reportBase(of: table, among: waiting, names: names) }
    faultyProfiles = Set(tables.map(\.name)).subtracting(result.map(\.name))
    return result
  }

  /// Why a profile has no base: there is none of that name, or it is itself. One that is derived from such a
  /// profile has no fault of its own.
  private mutating func reportBase(of table: Waiting, among waiting: [Waiting], names: [String]) {
    let (base, path) = (table.base ?? "", table.path[ProfileKey.base.rawValue])
    guard names.contains(base) else {
      return report(
        "there is no profile \(quoted(base))", at: path,
        suggesting: { _ in suggestion(for: base, among: names) })
    }
    var ancestor: String? = base
    for _ in waiting {
      if ancestor == table.name { return report("the profile is derived from itself", at: path) }
      ancestor = waiting.first { $0.name == ancestor }?.base
    }
  }

  /// A profile's table whose base is not known yet.
  private struct Waiting {
    var name: String
    var base: String?
    var about: String
    var path: ValuePath
    var options: Section<OptionKey>
  }

  private mutating func profile(
    named name: String, _ node: DocumentNode, at path: ValuePath, isBuiltIn: Bool
  ) -> Waiting? {
    guard let (own, options) = sections(node, at: path, of: ProfileKey.self, OptionKey.self) else {
      return nil
    }
    return Waiting(
      name: name, base: text(own, .base) ?? (isBuiltIn ? nil : Profile.standardName),
      about: text(own, .about) ?? "of your configuration", path: path, options: options)
  }

  /// nil if its options contradict each other, whatever control takes them.
  private mutating func read(_ table: Waiting, from base: Profile?) -> Profile? {
    var draft = base?.draft ?? ControlDraft()
    readOptions(table.options, into: &draft)
    guard isSound(draft, table.options) else { return nil }
    let options = OptionKey.allCases.filter { table.options[$0] != nil }
    return Profile(name: table.name, base: base, about: table.about, draft: draft, options: options)
  }

  /// Whether a control could be as the profile says without a word of its own; what is wrong is reported.
  private mutating func isSound(_ draft: ControlDraft, _ options: Section<OptionKey>) -> Bool {
    let before = errorCount
    var draft = draft
    if draft.settings.kind == .button { checkButton(options) }
    if draft.settings.kind != .continuous { draft.leaveOutNumbers() }
    finish(draft, options, taking: nil)
    checkCurrency(draft.presentation, options)
    return errorCount == before
  }
}
