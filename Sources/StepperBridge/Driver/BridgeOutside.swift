/// What a control is kept equal with.
///
/// ```swift
/// struct Lamp: BridgeOutside {
///   func changes() async throws -> AsyncThrowingStream<OutsideChange, any Error> { … }
///   func write(_ value: Double) async throws { … }
/// }
/// ```
/// ``changes()`` is called when the bridge begins, and again after a pause whenever the sequence has ended or thrown or a
/// write has failed: so an outside is connected again.
public protocol BridgeOutside: Sendable {
  /// The sequence of its reports.
  associatedtype Changes: AsyncSequence where Changes.Element == OutsideChange

  /// Connects, and reports its terms, then its value, then each change of it, also those that ``write(_:)`` makes. Throws if
  /// it cannot be connected, with an error whose description is the reason.
  func changes() async throws -> Changes

  /// Writes `value`, which is within its terms. Returns when the next value may be written, and throws when it is cancelled
  /// and when it takes too long; it is not called again before that.
  func write(_ value: Double) async throws
}

/// What an outside reports, in the order of the changes.
public enum OutsideChange: Hashable, Sendable {
  /// It is connected, and has these terms; its value follows.
  case terms(BridgeTerms)
  /// Its value, in its unit; nil: it has none, or does not report it.
  case value(Double?)
  /// It is disconnected, and why, in words; ``terms(_:)`` follows when it is connected again.
  case away(String)
}

/// How values of an outside become values of the control.
public enum BridgeScale: Hashable, Sendable {
  /// They are the same numbers.
  case same
  /// The range of the outside is spread over the range of the control: 0…1 of a mixer is 0…100 of a control.
  case spread
}

/// Why an outside is not connected, in words.
public struct OutsideFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rest of a sentence that begins with the outside's name, or a sentence.
  public let description: String

  /// A failure with these words.
  public init(_ description: String) { self.description = description }
}

/// The state of a bridge, and events of it, for logs and displays.
public enum BridgeReport: Hashable, Sendable, CustomStringConvertible {
  /// Both sides are connected: the bridge works.
  case connected
  /// The daemon is disconnected, and why; the bridge waits for it.
  case daemonLost(String)
  /// The daemon is connected again.
  case daemonRegained
  /// The daemon has no such control; a reload may bring it.
  case noControl
  /// The control cannot be bridged, and why.
  case unsuitable(String)
  /// The outside is disconnected, and why; it is tried again.
  case outsideLost(String)
  /// The daemon refused a value, and why.
  case refused(String)
  /// A value was beyond the range of a side and was clamped. It is reported once.
  case clamped(BridgeSide, Double, to: Double)

  /// As a sentence.
  public var description: String {
    switch self {
    case .connected: "connected"
    case .daemonLost(let problem): "the daemon is disconnected: \(problem)"
    case .daemonRegained: "the daemon is connected again"
    case .noControl: "the daemon has no such control; the bridge waits for it"
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
