/// One thing wrong with a configuration.
package struct ConfigurationProblem: Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable { case warning, error }

  package var severity: Severity
  package var file: String
  /// For example `control.volume.maximum`; empty for the whole file.
  package var keyPath: String
  /// From 1; nil where it is not known.
  package var line: Int?
  /// From 1, in Unicode scalars; nil where it is not known.
  package var column: Int?
  /// The problem, the text found and the allowed values.
  package var message: String
  /// The suggested correction.
  package var suggestion: String?

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
    let place = ([file] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
    let key = keyPath.isEmpty ? "" : "\(keyPath): "
    let hint = suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
    return "\(place): \(severity.rawValue): \(key)\(message)\(hint)"
  }
}
