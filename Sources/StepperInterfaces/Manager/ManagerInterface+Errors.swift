public import Varlink

extension ManagerInterface {
  /// The configuration has errors; the daemon goes on with the one it had.
  public struct ConfigurationInvalid: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.manager.ConfigurationInvalid"
    /// What is wrong.
    public var problems: [Problem]

    /// Its fields, in the order of the interface description.
    public init(problems: [Problem]) {
      self.problems = problems
    }
  }

  /// The values could not be written.
  public struct SaveFailed: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.manager.SaveFailed"
    /// The file.
    public var path: String
    /// What is wrong.
    public var message: String

    /// Its fields, in the order of the interface description.
    public init(path: String, message: String) {
      self.path = path
      self.message = message
    }
  }
}
