import StepperCore

/// One option of a control: how it is read, and how it is explained to people.
struct ControlOption {
  /// One line for people.
  let explanation: String
  /// Its values, if it is an enumeration.
  let words: [String]
  /// Takes over what the configuration sets it to.
  let read: (ConfigurationValue, inout ControlDraft) -> Void
  /// As the configuration would write it.
  let text: (ControlDraft) -> String
}

extension ControlOption {
  typealias Path<Value> = WritableKeyPath<ControlDraft, Value>

  /// `read` returns nil for a wrong value, which it reports.
  init<Value>(
    _ path: Path<Value>, _ explanation: String, words: [String] = [],
    read: @escaping (ConfigurationValue) -> Value?, text: @escaping (Value) -> String
  ) {
    self.explanation = explanation
    self.words = words
    self.read = { value, draft in draft[keyPath: path] = read(value) ?? draft[keyPath: path] }
    self.text = { text($0[keyPath: path]) }
  }

  /// `keyword` stands for nil, with which the option follows from others.
  init<Value>(
    _ path: Path<Value?>, or keyword: String, _ explanation: String,
    read: @escaping (ConfigurationValue) -> Value?, text: @escaping (Value) -> String
  ) {
    self.init(
      path, explanation, read: { $0.node.isText(keyword) ? .some(nil) : read($0).map { .some($0) } },
      text: { $0.map(text) ?? quoted(keyword) })
  }

  // MARK: Kinds of options

  /// `flags` are the words that true and false stand for.
  static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ path: Path<Word>, flags: (on: Word, off: Word)? = nil, _ explanation: String
  ) -> ControlOption {
    ControlOption(
      path, explanation, words: Word.allCases.map(\.rawValue),
      read: { value in
        guard let flags, case .boolean(let isOn) = value.node else { return value.word() }
        return isOn ? flags.on : flags.off
      },
      text: { quoted($0.rawValue) })
  }

  static func flag(_ path: Path<Bool>, _ explanation: String) -> ControlOption {
    ControlOption(path, explanation, read: { $0.boolean() }, text: { "\($0)" })
  }

  static func count(_ path: Path<Int>, in range: ClosedRange<Int64>, _ explanation: String) -> ControlOption {
    ControlOption(path, explanation, read: { $0.integer(in: range) }, text: { "\($0)" })
  }

  static func count(
    _ path: Path<Int?>, in range: ClosedRange<Int64>, or keyword: String, _ explanation: String
  ) -> ControlOption {
    ControlOption(
      path, or: keyword, explanation, read: { $0.integer(in: range, or: " or \(quoted(keyword))") },
      text: { "\($0)" })
  }

  /// A number, or "none" for no bound on that side.
  static func bound(_ path: Path<FixedPoint?>, _ explanation: String) -> ControlOption {
    ControlOption(
      path, or: "none", explanation, read: { $0.decimal(or: " or \"none\"") }, text: { "\($0.normalized)" })
  }
}

extension ControlDraft {
  /// Applies the keys of `section`; other options remain unchanged.
  mutating func read(_ section: Section<OptionKey>) {
    for key in OptionKey.allCases {
      if let value = section[key] { key.option.read(value, &self) }
    }
  }
}
