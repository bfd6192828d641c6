/// A named set of options that a control can begin with.
package struct Profile: Hashable, Sendable {
  /// `gtk`, `gtk/gtk3`, or a name from the configuration.
  package let name: String
  /// The profile from which this one is derived; nil if it starts from stepperd's own defaults.
  package let base: String?
  /// The built-in profile that this is, or is derived from.
  package let family: String
  /// One line for people.
  package let about: String
  let draft: ControlDraft
  /// The profile that sets an option; an option that is absent has the default of stepperd.
  private let origins: [OptionKey: String]

  /// The default profile of controls.
  package static let standardName = "uikit"

  init(
    name: String, base: Profile?, isBuiltIn: Bool, about: String, draft: ControlDraft, options: [OptionKey]
  ) {
    self.name = name
    self.base = base?.name
    family = isBuiltIn ? name : base?.family ?? Self.standardName
    self.about = about
    self.draft = draft
    origins = options.reduce(into: base?.origins ?? [:]) { $0[$1] = name }
  }

  /// One option as shown to people.
  package struct Option: Hashable, Sendable {
    package var key: OptionKey
    /// As the configuration would write it.
    package var value: String
    /// The profile that sets the option; nil if the value is stepperd's own default.
    package var origin: String?
    package var explanation: String
    /// The possible values, if the option is an enumeration.
    package var words: [String]
  }

  /// Every option, in a meaningful order.
  package var options: [Option] {
    OptionKey.allCases.map { key in
      let option = key.key
      return Option(
        key: key, value: option.text(draft) ?? "", origin: origins[key], explanation: option.explanation,
        words: option.words)
    }
  }

  /// The profile that sets `key`; nil if the value is stepperd's own default.
  func origin(of key: OptionKey) -> String? { origins[key] }

  /// The option as the configuration would write it.
  package func value(of key: OptionKey) -> String { key.key.text(draft) ?? "" }
}
