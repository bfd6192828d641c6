/// Something that a control is kept equal to.
///
/// ```swift
/// struct Lamp: BridgeOutside {
///   func changes() async throws -> AsyncThrowingStream<OutsideChange, any Error> { … }
///   func write(_ value: Double) async throws { … }
/// }
/// ```
/// ``changes()`` is called when the bridge begins. It is called again, after a pause, whenever the sequence has ended or thrown, or a
/// write has failed; so an outside is reconnected.
public protocol BridgeOutside: Sendable {
  /// The sequence of the outside's reports.
  associatedtype Changes: AsyncSequence where Changes.Element == OutsideChange

  /// Connects the outside. Reports its terms, then its value, then each change of the value, including those made by ``write(_:)``.
  /// Throws if it cannot be connected, with an error whose description is the reason.
  func changes() async throws -> Changes

  /// Writes `value`, which is within the terms. Returns when the next value may be written; it is not called again before. Must throw
  /// when it is cancelled and when it takes too long.
  func write(_ value: Double) async throws
}

/// A report from an outside. Reports come in the order of the changes.
public enum OutsideChange: Hashable, Sendable {
  /// The outside is connected and has these terms; its value follows.
  case terms(BridgeTerms)
  /// The outside's value, in its unit; nil: it has none, or does not report it.
  case value(Double?)
  /// The outside is disconnected, with the reason in words. ``terms(_:)`` follows when it is connected again.
  case away(String)
}

/// How values of an outside become values of the control.
public enum BridgeScale: Hashable, Sendable {
  /// The numbers are the same.
  case same
  /// The range of the outside is spread over the range of the control: 0…1 of a mixer is 0…100 of a control.
  case spread
}

/// Why an outside is not connected, for people.
public struct OutsideFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence, or the rest of one that begins with the outside's name.
  public let description: String

  /// Creates a failure with this description.
  public init(_ description: String) { self.description = description }
}

/// The state of a bridge, or an event, for logs and displays.
public enum BridgeReport: Hashable, Sendable, CustomStringConvertible {
  /// Both sides are connected: the bridge works.
  case connected
  /// The daemon is disconnected, with the reason; the bridge waits for it.
  case daemonLost(String)
  /// The daemon is connected again.
  case daemonRegained
  /// The daemon has no such control. A reload may add it.
  case noControl
  /// The control cannot be bridged, with the reason.
  case unsuitable(String)
  /// The outside is disconnected, with the reason; it is tried again.
  case outsideLost(String)
  /// The daemon refused a value, with the reason.
  case refused(String)
  /// A value beyond the range of a side was clamped. This is reported once.
  case clamped(BridgeSide, Double, to: Double)

  /// The report as a sentence.
  public var description: String {
    switch self {
    case .connected: "connected"
    case .daemonLost(let problem): "the daemon is disconnected: \(problem)"
    case .daemonRegained: "the daemon is connected again"
    case .noControl: "the daemon has no control of this name; the bridge works once there is one"
    case .unsuitable(let problem): "the control cannot be bridged: \(problem)"
    case .outsideLost(let problem): "the outside is disconnected: \(problem)"
    case .refused(let problem): "the daemon refuses the value: \(problem)"
    case .clamped(.control, let value, let end):
      "the outside is at \(value), beyond the range of the control, which is set to \(end)"
    case .clamped(.outside, let value, let end):
      "the control is at \(value), beyond the range of the outside, which is set to \(end)"
    }
  }
}
