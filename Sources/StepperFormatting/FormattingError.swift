/// Why a value cannot be read, or a locale not be used.
public struct FormattingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, for programs to compare with. New codes may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name as it is written in Swift.
    public let description: String

    init(_ name: String) { description = name }

    /// A text is no value of the control in the reader's locale: see ``ValueFormatter/parse(_:)``.
    public static let unreadableValue = Code("unreadableValue")
    /// The C library has no locale of that name: see ``NumberLocale/init(named:)``.
    public static let noSuchLocale = Code("noSuchLocale")
  }

  /// What went wrong, for programs.
  public let code: Code
  /// What went wrong and what to do about it, for people: one sentence without a full stop.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
