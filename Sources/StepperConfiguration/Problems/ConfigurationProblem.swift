/// One thing wrong with a configuration.
package struct ConfigurationProblem: Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable { case warning, error }

  package var severity = Severity.error
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

  package init(file: String, keyPath: String, line: Int? = nil, column: Int? = nil, message: String) {
    self.file = file
    self.keyPath = keyPath
    self.line = line
    self.column = column
    self.message = message
  }
}

extension ConfigurationProblem: CustomStringConvertible {
  /// One line in the form compilers use, so that editors can jump to it:
  /// `stepperd.toml:7:1: error: control.volume.maximun: unknown key (did you mean "maximum"?)`.
  package var description: String {
    var text = file
    if let line {
      text += ":\(line)"
      if let column { text += ":\(column)" }
    }
    text += ": \(severity.rawValue): "
    if !keyPath.isEmpty { text += "\(keyPath): " }
    text += message
    if let suggestion { text += " (did you mean \"\(suggestion)\"?)" }
    return text
  }
}
