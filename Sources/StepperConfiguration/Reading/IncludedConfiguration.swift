/// The file that `include` of `[daemon]` names. It may be written by a program that is trusted less than who writes the
/// configuration, such as `stepperd-mqtt`: so it has devices, profiles and controls, and nothing that runs a program or
/// says who may do what.
package enum IncludedConfiguration {
  /// Bytes of the file.
  package static let mostBytes = 48 << 10

  private static let tables: [RootKey] = [.device, .profile, .control]

  /// What a configuration may have, and the file may not; empty: it can be read as a part of one, which may find more.
  /// `configuration` is the file that includes it, whose tables it may neither replace nor add to.
  package static func problems(
    _ bytes: [UInt8], file: String, in configuration: [UInt8] = []
  ) -> [ConfigurationProblem] {
    guard bytes.count <= mostBytes else {
      let message = "is \(bytes.count) bytes long; at most \(mostBytes) are allowed"
      return [ConfigurationProblem(file: file, message: message)]
    }
    let taken = names(in: configuration)
    return Configuration.read(bytes, file: file) { root in
      // What precedes the first table would belong to the last table of the configuration.
      if !beginsWithTable(bytes) { root.report("must begin with a table such as [control.volume]") }
      for (name, value) in root.entries() {
        guard let table = tables.first(where: { name.isExactly($0.rawValue) }) else {
          value.report("is not allowed in an included file, only device, profile and control are", .key)
          continue
        }
        for (name, value) in value.entries() where taken[table]?.contains(name) ?? false {
          value.report("is in the configuration already; give it another name", .key)
        }
        if table == .control { refusePrograms(of: value) }
      }
    }.problems
  }

  /// The names that a configuration has in each of the tables; without any where it has errors.
  private static func names(in configuration: [UInt8]) -> [RootKey: Set<String>] {
    Configuration.read(configuration, file: "") { root in
      let found = root.entries().compactMap { name, value in
        tables.first { name.isExactly($0.rawValue) }.map { ($0, Set(value.entries().map(\.key))) }
      }
      return Dictionary(found) { first, _ in first }
    }.result ?? [:]
  }

  private static func beginsWithTable(_ bytes: [UInt8]) -> Bool {
    for line in bytes.split(whereSeparator: { [10, 13].contains($0) }) {
      guard let first = line.first(where: { ![32, 9].contains($0) }) else { continue }
      if first == UInt8(ascii: "#") { continue }
      return first == UInt8(ascii: "[")
    }
    return true
  }

  private static func refusePrograms(of controls: ConfigurationValue) {
    guard let tables = controls.node.table else { return }
    for (_, control) in controls.entries(of: tables) {
      guard let keys = control.node.table else { continue }
      for (name, value) in control.entries(of: keys) {
        guard let key = ControlKey.allCases.first(where: { name.isExactly($0.rawValue) }), key.runsProgram
        else { continue }
        value.report("is not allowed in an included file, because it runs a program", .key)
      }
    }
  }

  /// `configuration` with `included`, the content of `file`; nil: the latter has what it may not have.
  package static func join(
    _ configuration: [UInt8], _ included: [UInt8], file: String
  ) -> (joined: JoinedConfiguration?, problems: [ConfigurationProblem]) {
    let problems = problems(included, file: file, in: configuration)
    return (problems.isEmpty ? JoinedConfiguration(configuration, included, file: file) : nil, problems)
  }
}

/// A configuration and the file that it includes as one text, that of the configuration first.
package struct JoinedConfiguration {
  package let text: [UInt8]
  /// How many lines precede those of the included file.
  private let lines: Int
  /// The included file, for messages.
  private let file: String

  fileprivate init(_ configuration: [UInt8], _ included: [UInt8], file: String) {
    text = configuration + [UInt8(ascii: "\n")] + included
    (lines, self.file) = (configuration.count { $0 == UInt8(ascii: "\n") } + 1, file)
  }

  /// `problems` of the text, each with its own file and line.
  func placed(_ problems: [ConfigurationProblem]) -> [ConfigurationProblem] {
    problems.map { problem in
      guard let line = problem.line, line > lines else { return problem }
      var problem = problem
      (problem.file, problem.line) = (file, line - lines)
      return problem
    }
  }
}

extension ControlKey {
  /// Whether its value is a command, or starts one.
  fileprivate var runsProgram: Bool { !occasions.isEmpty || self == .speak }
}
