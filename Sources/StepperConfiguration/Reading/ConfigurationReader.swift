import StepperCore

/// Reads a document into a ``Configuration``: what it needs to know, and the problems it has found so far.
///
/// Each kind of table has its own file with an extension of this. A reading function that returns nil for a
/// value that is there has reported why.
struct ConfigurationReader {
  let file: String
  let document: Document
  let codes: EvdevCodes
  /// Those that are reported; see ``sortedProblems`` for the others.
  private var problems: [ConfigurationProblem] = []
  private(set) var errorCount = 0
  private var warningCount = 0
  /// The names of the document's profiles that no control can take, which has been reported.
  var faultyProfiles: Set<String> = []

  /// Names of keys and axes, such as `REL_DIAL`.
  struct EvdevCodes {
    let names: [String]
    let resolve: (String) -> EvdevUsage?
  }

  init(file: String, _ document: Document, codes: EvdevCodes) {
    self.file = file
    self.document = document
    self.codes = codes
  }

  enum Spot { case key, value }

  /// Beyond ``ConfigurationLimit/problems`` a problem is only counted: neither its message nor what was probably
  /// meant is worked out.
  mutating func report(
    _ message: @autoclosure () -> String, at path: ValuePath, _ spot: Spot = .value,
    severity: ConfigurationProblem.Severity = .error, suggesting suggestion: (Self) -> String? = { _ in nil }
  ) {
    switch severity {
    case .error: errorCount += 1
    case .warning: warningCount += 1
    }
    guard problems.count < ConfigurationLimit.problems else { return }
    let position = document.position(of: path, atKey: spot == .key)
    var problem = ConfigurationProblem(
      file: file, keyPath: path.description, line: position?.line, column: position?.column,
      message: message())
    problem.severity = severity
    problem.suggestion = suggestion(self).map { excerpt($0) }
    problems.append(problem)
  }

  /// What keeps the text from being TOML. What else is wrong with it is only looked for without such errors.
  mutating func reportSyntaxErrors() {
    for error in document.errors {
      let position = document.text.position(at: error.offset)
      var problem = ConfigurationProblem(
        file: file, keyPath: error.path.description, line: position.line, column: position.column,
        message: error.message)
      problem.suggestion = error.suggestion
      problems.append(problem)
    }
    let isCut = document.errors.count >= ConfigurationLimit.problems
    var note = ConfigurationProblem(
      file: file, keyPath: "",
      message: isCut
        ? "the rest of the file was not read"
        : "keys and values were not checked, because of these errors")
    note.severity = .warning
    problems.append(note)
    errorCount += document.errors.count
    warningCount += 1
  }

  /// In the order of the file; what is nowhere in particular comes last, and after it how many more there are.
  var sortedProblems: [ConfigurationProblem] {
    let sorted = problems.enumerated().sorted { left, right in
      let ends = (line: Int.max, column: Int.max)
      return (left.element.line ?? ends.line, left.element.column ?? ends.column, left.offset)
        < (right.element.line ?? ends.line, right.element.column ?? ends.column, right.offset)
    }.map(\.element)
    let omitted = errorCount + warningCount - problems.count
    guard omitted > 0 else { return sorted }
    var rest = ConfigurationProblem(
      file: file, keyPath: "", message: "… and \(omitted) more problem\(omitted == 1 ? "" : "s")")
    if !hasErrors { rest.severity = .warning }
    return sorted + [rest]
  }

  var hasErrors: Bool { errorCount > 0 }
}

/// A table whose keys are known.
struct Section<Key: ConfigurationKey> {
  let path: ValuePath
  private let table: DocumentTable

  fileprivate init(path: ValuePath, _ table: DocumentTable) {
    self.path = path
    self.table = table
  }

  /// A value and where it is.
  struct Item {
    let path: ValuePath
    let node: DocumentNode
  }

  subscript(key: Key) -> Item? {
    table[key.rawValue].map { Item(path: path(of: key), node: $0) }
  }

  func path(of key: Key) -> ValuePath { path[key.rawValue] }

  var isEmpty: Bool { table.entries.isEmpty }
}

extension ConfigurationReader {
  /// `node` as a table, every unknown key of which is reported; nil if it is no table.
  mutating func section<Key>(_ node: DocumentNode, at path: ValuePath, of type: Key.Type = Key.self)
    -> Section<Key>?
  {
    guard let table = table(node, at: path) else { return nil }
    for entry in table.entries where Key(word: entry.key) == nil {
      reportUnknownKey(entry, at: path, reserved: Key.reserved) { Key.allCases.map(\.rawValue) }
    }
    return Section(path: path, table)
  }

  /// `node` as a table with two kinds of keys.
  mutating func sections<First, Second>(
    _ node: DocumentNode, at path: ValuePath, of first: First.Type, _ second: Second.Type
  ) -> (Section<First>, Section<Second>)? {
    guard let table = table(node, at: path) else { return nil }
    for entry in table.entries where First(word: entry.key) == nil && Second(word: entry.key) == nil {
      reportUnknownKey(entry, at: path, reserved: First.reserved) {
        First.allCases.map(\.rawValue) + Second.allCases.map(\.rawValue)
      }
    }
    return (Section(path: path, table), Section(path: path, table))
  }

  private mutating func table(_ node: DocumentNode, at path: ValuePath) -> DocumentTable? {
    if case .table(let table) = node { return table }
    report("must be a table, found \(node.found)", at: path)
    return nil
  }

  private mutating func reportUnknownKey(
    _ entry: DocumentTable.Entry, at path: ValuePath, reserved: [String], known: () -> [String]
  ) {
    let key = entry.key
    if reserved.contains(where: key.isExactly) {
      return report("not available in this version", at: path[key], .key)
    }
    if case .table = entry.node, path.components.first == .key(RootKey.control.rawValue),
      let name = path.lastKey
    {
      return report(
        "unknown key; a name with a dot is written in quotes: [control.\(quoted("\(name).\(key)"))]",
        at: path[key], .key)
    }
    report(
      Self.unknownKey(key, known()), at: path[key], .key,
      suggesting: { _ in suggestion(for: key, among: known()) }
    )
  }

  private static func unknownKey(_ key: String, _ known: [String]) -> String {
    let mostShown = 20
    if suggestion(for: key, among: known) != nil { return "unknown key" }
    return known.count > mostShown
      ? "unknown key; stepperd.toml(5) has them all"
      : "unknown key; known are \(known.joined(separator: ", "))"
  }

  /// The tables `[device.NAME]` or `[control.NAME]` in the order of the file.
  mutating func namedTables(
    _ item: Section<RootKey>.Item, at most: Int, allowed: String, isAllowed: (UInt8) -> Bool
  ) -> [(name: String, path: ValuePath, node: DocumentNode)] {
    guard case .table(let table) = item.node else {
      report("must be tables [\(item.path).NAME], found \(item.node.found)", at: item.path)
      return []
    }
    let tables = table.entries.map { (name: $0.key, path: item.path[$0.key], node: $0.node) }
    for (name, path, _) in tables {
      if name.isEmpty || !name.utf8.allSatisfy(isAllowed) {
        report("the name \(quoted(name)) must be made of \(allowed)", at: path, .key)
      } else if name.utf8.count > ConfigurationLimit.nameBytes {
        report(
          "the name is \(name.utf8.count) bytes long; at most \(ConfigurationLimit.nameBytes) are allowed",
          at: path, .key)
      }
    }
    if tables.count > most {
      report("\(tables.count) tables; at most \(most) are allowed", at: tables[most].path, .key)
    }
    return Array(tables.prefix(most))
  }
}
