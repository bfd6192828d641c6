import StepperCore

/// Reads a document into a ``Configuration``: what it needs to know, and the problems it has found so far.
///
/// Each kind of table has its own file with an extension of this. A reading function that returns nil for a
/// value that is there has reported why.
struct ConfigurationReader {
  let file: String
  let map: SourceMap
  let codes: EvdevCodes
  private(set) var problems: [ConfigurationProblem] = []
  /// The names of the document's profiles that no control can take, which has been reported.
  var faultyProfiles: Set<String> = []

  /// Names of keys and axes, such as `REL_DIAL`.
  struct EvdevCodes {
    let names: [String]
    let resolve: (String) -> EvdevUsage?
  }

  /// More than anybody reads; it bounds what a hostile file costs.
  static let mostProblems = 1000

  init(file: String, map: SourceMap, codes: EvdevCodes) {
    self.file = file
    self.map = map
    self.codes = codes
  }

  enum Spot { case key, value }

  mutating func report(
    _ message: String, at path: ValuePath, _ spot: Spot = .value,
    severity: ConfigurationProblem.Severity = .error, suggesting suggestion: String? = nil
  ) {
    guard problems.count < Self.mostProblems else { return }
    let position = map.position(of: path, atKey: spot == .key)
    var problem = ConfigurationProblem(
      file: file, keyPath: path.description, line: position?.line, column: position?.column, message: message)
    problem.severity = severity
    problem.suggestion = suggestion
    problems.append(problem)
  }

  /// In the order of the file; what is nowhere in particular comes last.
  var sortedProblems: [ConfigurationProblem] {
    problems.enumerated().sorted { left, right in
      let ends = (line: Int.max, column: Int.max)
      return (left.element.line ?? ends.line, left.element.column ?? ends.column, left.offset)
        < (right.element.line ?? ends.line, right.element.column ?? ends.column, right.offset)
    }.map(\.element)
  }

  var hasErrors: Bool { problems.contains { $0.severity == .error } }
}

/// A table whose keys are known.
struct Section<Key: ConfigurationKey> {
  let path: ValuePath
  private let entries: [String: DocumentNode]

  fileprivate init(path: ValuePath, entries: [String: DocumentNode]) {
    self.path = path
    self.entries = entries
  }

  /// A value and where it is.
  struct Item {
    let path: ValuePath
    let node: DocumentNode
  }

  subscript(key: Key) -> Item? {
    entries[key.rawValue].map { Item(path: path(of: key), node: $0) }
  }

  func path(of key: Key) -> ValuePath { path[key.rawValue] }

  var isEmpty: Bool { entries.isEmpty }
}

extension ConfigurationReader {
  /// `node` as a table, every unknown key of which is reported; nil if it is no table.
  mutating func section<Key>(_ node: DocumentNode, at path: ValuePath, of type: Key.Type = Key.self)
    -> Section<Key>?
  {
    guard let entries = entries(of: node, at: path) else { return nil }
    reportUnknownKeys(of: entries, at: path, known: Key.allCases.map(\.rawValue), reserved: Key.reserved)
    return Section(path: path, entries: entries)
  }

  /// `node` as a table with two kinds of keys.
  mutating func sections<First, Second>(
    _ node: DocumentNode, at path: ValuePath, of first: First.Type, _ second: Second.Type
  ) -> (Section<First>, Section<Second>)? {
    guard let entries = entries(of: node, at: path) else { return nil }
    reportUnknownKeys(
      of: entries, at: path, known: First.allCases.map(\.rawValue) + Second.allCases.map(\.rawValue),
      reserved: First.reserved)
    return (Section(path: path, entries: entries), Section(path: path, entries: entries))
  }

  private mutating func entries(of node: DocumentNode, at path: ValuePath) -> [String: DocumentNode]? {
    if case .table(let entries) = node { return entries }
    report("must be a table, found \(node.found)", at: path)
    return nil
  }

  private mutating func reportUnknownKeys(
    of entries: [String: DocumentNode], at path: ValuePath, known: [String], reserved: [String]
  ) {
    for (key, value) in entries where !known.contains(key) {
      if reserved.contains(key) {
        report("not available in this version", at: path[key], .key)
      } else if case .table = value, path.components.first == .key(RootKey.control.rawValue),
        let name = path.lastKey
      {
        report(
          "unknown key; a name with a dot is written in quotes: [control.\(quoted("\(name).\(key)"))]",
          at: path[key], .key)
      } else {
        let suggestion = suggestion(for: key, among: known)
        let mostShown = 20
        let list =
          known.count > mostShown
          ? "; stepperd.toml(5) has them all" : "; known are \(known.joined(separator: ", "))"
        report("unknown key\(suggestion == nil ? list : "")", at: path[key], .key, suggesting: suggestion)
      }
    }
  }

  /// The tables `[device.NAME]` or `[control.NAME]` in the order of the file.
  mutating func namedTables(
    _ item: Section<RootKey>.Item, at most: Int, allowed: String, isAllowed: (UInt8) -> Bool
  ) -> [(name: String, path: ValuePath, node: DocumentNode)] {
    guard case .table(let entries) = item.node else {
      report("must be tables [\(item.path).NAME], found \(item.node.found)", at: item.path)
      return []
    }
    let tables =
      entries.map { (name: $0.key, path: item.path[$0.key], node: $0.value) }
      .sorted { left, right in
        let ends = SourceMap.Position(line: .max, column: .max)
        return (map.position(of: left.path) ?? ends, left.name) < (
          map.position(of: right.path) ?? ends, right.name
        )
      }
    for (name, path, _) in tables {
      if name.isEmpty || !name.utf8.allSatisfy(isAllowed) {
        report("the name \(quoted(name)) must be made of \(allowed)", at: path, .key)
      } else if name.utf8.count > 64 {
        report("the name is \(name.utf8.count) bytes long; at most 64 are allowed", at: path, .key)
      }
    }
    if tables.count > most {
      report("\(tables.count) tables; at most \(most) are allowed", at: tables[most].path, .key)
    }
    return Array(tables.prefix(most))
  }
}
