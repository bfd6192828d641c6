import StepperCore

/// One option of a control: how it is read, and how it is explained to people.
struct ControlOption: Sendable {
  let key: OptionKey
  /// One line for people.
  let explanation: String
  /// Its values, if it is an enumeration.
  var words: [String] = []
  /// Takes over what the configuration sets it to.
  let read: @Sendable (ConfigurationValue, inout ControlDraft) -> Void
  /// As the configuration would write it.
  let text: @Sendable (ControlDraft) -> String

  static func of(_ key: OptionKey) -> ControlOption? { byKey[key] }

  private static let byKey = Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
}

/// The kinds of options.
extension ControlOption {
  typealias Path<Value> = any WritableKeyPath<ControlDraft, Value> & Sendable

  static func word<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ key: OptionKey, _ path: Path<Word>, _ explanation: String
  ) -> ControlOption {
    ControlOption(
      key: key, explanation: explanation, words: Word.allCases.map(\.rawValue),
      read: { value, draft in
        if let word = value.word(of: Word.self) { draft[keyPath: path] = word }
      },
      text: { quoted($0[keyPath: path].rawValue) })
  }

  static func flag(_ key: OptionKey, _ path: Path<Bool>, _ explanation: String) -> ControlOption {
    ControlOption(
      key: key, explanation: explanation,
      read: { value, draft in
        if let flag = value.boolean() { draft[keyPath: path] = flag }
      },
      text: { "\($0[keyPath: path])" })
  }

  static func count(
    _ key: OptionKey, _ path: Path<Int>, in range: ClosedRange<Int64>, _ explanation: String
  ) -> ControlOption {
    ControlOption(
      key: key, explanation: explanation,
      read: { value, draft in
        if let count = value.integer(in: range) { draft[keyPath: path] = count }
      },
      text: { "\($0[keyPath: path])" })
  }

  /// A count, or the keyword `otherwise`, with which it follows from other options.
  static func count(
    _ key: OptionKey, _ path: Path<Int?>, in range: ClosedRange<Int64>, or otherwise: String,
    _ explanation: String
  ) -> ControlOption {
    ControlOption(
      key: key, explanation: explanation,
      read: { value, draft in
        if value.node.isText(otherwise) {
          draft[keyPath: path] = nil
        } else if let count = value.integer(in: range, or: " or \(quoted(otherwise))") {
          draft[keyPath: path] = count
        }
      },
      text: { $0[keyPath: path].map { "\($0)" } ?? quoted(otherwise) })
  }

  /// A number, or "none" for no bound on that side.
  static func bound(_ key: OptionKey, _ path: Path<FixedPoint?>, _ explanation: String) -> ControlOption {
    ControlOption(
      key: key, explanation: explanation,
      read: { value, draft in
        if value.node.isText("none") {
          draft[keyPath: path] = nil
        } else if let number = value.decimal(or: " or \"none\"") {
          draft[keyPath: path] = number
        }
      },
      text: { $0[keyPath: path].map { "\($0.normalized)" } ?? quoted("none") })
  }
}

extension ControlDraft {
  /// Applies the keys of `section`; other options remain unchanged.
  mutating func read(_ section: Section<OptionKey>) {
    for option in ControlOption.all {
      if let value = section[option.key] { option.read(value, &self) }
    }
  }
}
