/// A message that is not Varlink, or a value that no message can carry.
public struct VarlinkMessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, for a log.
  public let reason: String

  /// An error with `reason`, a phrase without a full stop.
  public init(_ reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }
}
