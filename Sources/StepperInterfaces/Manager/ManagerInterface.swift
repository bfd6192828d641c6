/// `org.stepperd.manager`: running the daemon itself.
public enum ManagerInterface {
  /// The name of the interface.
  public static let name = "org.stepperd.manager"

  /// A severity.
  public enum Severity: String, Codable, Hashable, Sendable {
    case warning, error
  }

  /// Something wrong with a configuration.
  public struct Problem: Codable, Hashable, Sendable {
    /// The file it is in.
    public var file: String
    /// Where the problem is, for example `control.volume.maximum`.
    public var keyPath: String
    /// The line, from 1; nil: unknown.
    public var line: Int?
    /// The column, from 1; nil: unknown.
    public var column: Int?
    /// Whether the configuration can be used all the same.
    public var severity: Severity
    /// What is wrong, what was found and what is allowed.
    public var message: String
    /// What was probably meant.
    public var suggestion: String?

    /// Its fields, in the order of the interface description.
    public init(
      file: String, keyPath: String, line: Int? = nil, column: Int? = nil, severity: Severity,
      message: String, suggestion: String? = nil
    ) {
      self.file = file
      self.keyPath = keyPath
      self.line = line
      self.column = column
      self.severity = severity
      self.message = message
      self.suggestion = suggestion
    }
  }
}
