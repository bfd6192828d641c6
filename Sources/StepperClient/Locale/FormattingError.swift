/// Why a value cannot be read, or a locale cannot be used.
public struct FormattingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause for programs. New codes may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the case in Swift.
    public let description: String

    init(_ name: String) { description = name }

    /// A text is not a value of the control in the locale: see ``ValueFormatter/parse(_:)``.
    public static let unreadableValue = Code("unreadableValue")
    /// The C library has no locale of that name: see ``NumberLocale/init(named:)``.
    public static let noSuchLocale = Code("noSuchLocale")
  }

  /// The cause, for programs.
  public let code: Code
  /// The problem and its remedy, for people: one sentence without a full stop.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
