import StepperCore

/// `[profile.NAME]`.
extension ConfigurationReader {
  /// The profiles of the document, bases before those that are derived from them where that is possible, after
  /// the built-in ones.
  mutating func profiles(_ item: Section<RootKey>.Item?, after builtIn: [Profile], isBuiltIn: Bool)
    -> [Profile]
  {
    guard let item else { return builtIn }
    let tables = namedTables(item, at: Self.mostProfiles, allowed: "lower-case letters, digits, - and _") {
      isDeviceNameByte($0) || isBuiltIn && $0 == UInt8(ascii: "/")
    }
    var waiting: [Waiting] = tables.compactMap { table in
      if builtIn.contains(where: { $0.name == table.name }) {
        report(
          "comes with stepperd; derive your own with another name and base = \(quoted(table.name))",
          at: table.path, .key)
        return nil
      }
      return profile(named: table.name, table.node, at: table.path, isBuiltIn: isBuiltIn)
    }
    var known = builtIn
    let names = builtIn.map(\.name) + waiting.map(\.name)
    // Each round takes those whose base is known; what is left has none, or itself.
    while let index = waiting.firstIndex(where: { table in
      table.base == nil || known.contains { $0.name == table.base }
    }) {
      let table = waiting.remove(at: index)
      known.append(read(table, from: known.first { $0.name == table.base }))
    }
    for table in waiting {
      let base = table.base ?? ""
      let message =
        names.contains(base)
        ? "the profile is derived from itself, by way of \(quoted(base))"
        : "there is no profile \(quoted(base))"
      report(
        message, at: table.path[ProfileKey.base.rawValue],
        suggesting: names.contains(base) ? nil : suggestion(for: base, among: names))
    }
    return known
  }

  static let mostProfiles = 64

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

  private mutating func read(_ table: Waiting, from base: Profile?) -> Profile {
    var draft = base?.draft ?? ControlDraft()
    readOptions(table.options, into: &draft)
    let options = OptionKey.allCases.filter { table.options[$0] != nil }
    return Profile(name: table.name, base: base, about: table.about, draft: draft, options: options)
  }
}
