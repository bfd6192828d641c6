/// One thing wrong with a configuration.
package struct ConfigurationProblem: Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable { case warning, error }

  package var severity: Severity
  package var file: String
  /// The path of the key, such as `control.volume.maximum`; empty if the problem concerns the whole file.
  package var keyPath: String
  /// The line, from 1; nil if unknown.
  package var line: Int?
  /// The column, from 1, in Unicode scalars; nil if unknown.
  package var column: Int?
  /// The problem, the text found and the allowed values.
  package var message: String
  /// The suggested correction.
  package var suggestion: String?
  /// The place of the `include` that names ``file``, as `FILE:LINE:COLUMN`; nil if ``file`` is not an included one.
  package var includedFrom: String?

  package init(
    _ severity: Severity = .error, file: String, keyPath: String = "", message: String,
    suggestion: String? = nil
  ) {
    self.severity = severity
    self.file = file
    self.keyPath = keyPath
    self.message = message
    self.suggestion = suggestion
  }
}

extension ConfigurationProblem: CustomStringConvertible {
  /// One line in the form compilers use, so that editors can jump to it:
  /// `stepperd.toml:7:1: error: control.volume.maximun: unknown key (did you mean "maximum"?)`.
  package var description: String {
    let key = keyPath.isEmpty ? "" : "\(keyPath): "
    let hint = suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
    let origin = includedFrom.map { " (included from \($0))" } ?? ""
    return "\(Self.place(file, line, column)): \(severity.rawValue): \(key)\(message)\(hint)\(origin)"
  }

  /// `FILE:LINE:COLUMN`, without what is unknown.
  static func place(_ file: String, _ line: Int?, _ column: Int?) -> String {
    ([file] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
  }
}
