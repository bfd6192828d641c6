/// The file that `include` of `[daemon]` names. The program that writes it, such as `stepperd-mqtt`, may be trusted
/// less than the author of the configuration. Therefore the file may have devices, profiles and controls, but nothing
/// that runs a program or grants rights.
package enum IncludedConfiguration {
  /// The maximum size of the file in bytes.
  package static let mostBytes = 48 << 10

  private static let tables: [RootKey] = [.device, .profile, .control]

  /// The parts of the file that only a configuration may have. If there are none, the file can be read as a part of the
  /// configuration, which may find further problems. `configuration` is the including file, whose tables the included
  /// file may neither replace nor extend.
  package static func problems(
    _ bytes: [UInt8], file: String, in configuration: [UInt8] = []
  ) -> [ConfigurationProblem] {
    guard bytes.count <= mostBytes else {
      let message = "is \(bytes.count) bytes long; at most \(mostBytes) are allowed"
      return [ConfigurationProblem(file: file, message: message)]
    }
    let taken = names(in: configuration)
    return Configuration.read(bytes, file: file) { root in
      // Keys before the first header would belong to the last table of the configuration.
      if root.node.table?.statementEnd != nil {
        root.report("must begin with a table such as [control.volume]")
      }
      for (name, value) in root.entries() {
        guard let table = table(named: name) else {
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

  /// The names of the configuration's devices, profiles and controls; empty if it is not valid TOML.
  private static func names(in configuration: [UInt8]) -> [RootKey: Set<String>] {
    Configuration.read(configuration, file: "") { root in
      let found = root.entries().compactMap { name, value in
        table(named: name).map { ($0, Set(value.entries().map(\.key))) }
      }
      return Dictionary(found) { first, _ in first }
    }.result ?? [:]
  }

  private static func table(named name: String) -> RootKey? {
    RootKey(word: name).flatMap { tables.contains($0) ? $0 : nil }
  }

  private static func refusePrograms(of controls: ConfigurationValue) {
    guard let tables = controls.node.table else { return }
    for (_, control) in controls.entries(of: tables) {
      guard let keys = control.node.table else { continue }
      for (name, value) in control.entries(of: keys) where ControlKey(word: name)?.runsProgram == true {
        value.report("is not allowed in an included file, because it runs a program", .key)
      }
    }
  }

  /// Joins `configuration` and `included`, the content of `file`; nil if `included` has something that it may not have.
  package static func join(
    _ configuration: [UInt8], _ included: [UInt8], file: String
  ) -> (joined: JoinedConfiguration?, problems: [ConfigurationProblem]) {
    let problems = problems(included, file: file, in: configuration)
    return (problems.isEmpty ? JoinedConfiguration(configuration, included, file: file) : nil, problems)
  }
}

/// A configuration and the file that it includes as one text, the configuration first.
package struct JoinedConfiguration {
  package let text: [UInt8]
  /// The number of lines before those of the included file.
  private let lines: Int
  /// The included file, for messages.
  private let file: String

  fileprivate init(_ configuration: [UInt8], _ included: [UInt8], file: String) {
    text = configuration + [UInt8(ascii: "\n")] + included.withoutMark
    (lines, self.file) = (configuration.count { $0 == UInt8(ascii: "\n") } + 1, file)
  }

  /// The problems of the joined text, each with its own file and line.
  func placed(_ problems: [ConfigurationProblem]) -> [ConfigurationProblem] {
    problems.map { problem in
      guard let line = problem.line, line > lines else { return problem }
      var problem = problem
      (problem.file, problem.line) = (file, line - lines)
      return problem
    }
  }
}

extension [UInt8] {
  /// The bytes without the byte order mark that some editors write at the beginning.
  package var withoutMark: ArraySlice<UInt8> { dropFirst(starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0) }
}

extension ControlKey {
  /// Whether the value of the key is a command or causes one to run.
  fileprivate var runsProgram: Bool { !occasions.isEmpty || self == .speak }
}
