import StepperText

/// A table with a known set of keys.
package struct Section<Key: ConfigurationKey> {
  let path: ValuePath
  let problems: ProblemList
  private let table: DocumentTable

  fileprivate init(_ table: DocumentTable, of value: ConfigurationValue) {
    (path, problems) = (value.path, value.problems)
    self.table = table
  }

  package subscript(key: Key) -> ConfigurationValue? {
    table[key.rawValue].map { ConfigurationValue(node: $0, path: path[key.rawValue], problems: problems) }
  }

  var isEmpty: Bool { table.entries.isEmpty }

  /// Whether the document has errors so far.
  package var hasErrors: Bool { problems.hasErrors }

  /// Reports a problem of the table itself.
  func report(_ message: @autoclosure () -> String, _ spot: ProblemList.Spot = .value) {
    problems.report(message(), at: path, spot)
  }

  /// Reports a problem of several keys: at the first of them that is present, else at the table.
  func report(_ message: @autoclosure () -> String, atFirstOf keys: Key...) {
    problems.report(message(), at: keys.lazy.compactMap { self[$0]?.path }.first ?? path)
  }
}

extension ConfigurationValue {
  /// The value as a table; unknown keys are reported. If it is no table, reports that it must be `what` and returns
  /// nil.
  package func section<Key>(of type: Key.Type = Key.self, _ what: String = "a table") -> Section<Key>? {
    guard let table = table(what) else { return nil }
    for (key, value) in entries(of: table) where Key(word: key) == nil {
      value.reportUnknownKey(key, in: path) { Key.allCases.map(\.rawValue) }
    }
    return Section(table, of: self)
  }

  /// The value as a table with two kinds of keys.
  func sections<First, Second>(of first: First.Type, _ second: Second.Type)
    -> (Section<First>, Section<Second>)?
  {
    guard let table = table() else { return nil }
    for (key, value) in entries(of: table) where First(word: key) == nil && Second(word: key) == nil {
      value.reportUnknownKey(key, in: path) {
        First.allCases.map(\.rawValue) + Second.allCases.map(\.rawValue)
      }
    }
    return (Section(table, of: self), Section(table, of: self))
  }

  private func reportUnknownKey(_ key: String, in table: ValuePath, known: () -> [String]) {
    if case .table = node, table.components.first == .key(RootKey.control.rawValue), let name = table.lastKey
    {
      return report(
        "unknown key; a name with a dot is written in quotes: [control.\(quoted("\(name).\(key)"))]", .key)
    }
    if key.isExactly("range"), let bound = known().first(where: OptionKey.minimum.rawValue.isExactly) {
      return report("unknown key; a range is \(bound) = … and \(OptionKey.maximum.rawValue) = …", .key)
    }
    report(Self.unknownKey(key, known()), .key) { meant(by: key, among: known()) }
  }

  private static func unknownKey(_ key: String, _ known: [String]) -> String {
    let mostShown = 20
    if meant(by: key, among: known) != nil { return "unknown key" }
    return known.count > mostShown
      ? "unknown key; stepperd.toml(5) has them all"
      : "unknown key; known are \(known.joined(separator: ", "))"
  }
}
