internal import StepperClient
internal import StepperCore
internal import StepperInterfaces

/// What a board on a serial line says and is told, and the resulting device, without I/O and without a clock.
protocol BoardProtocol {
  /// The board's own name; nil: it has not said one.
  var name: String? { get }
  var device: ReplaceableDevice { get set }
  /// Counts what arrived, understood or not.
  var log: BoardLog { get set }

  /// The port has been opened.
  mutating func opened(at now: Instant)
  /// The board was unplugged, or the port has been closed.
  mutating func closed()
  mutating func receive(_ bytes: [UInt8], at now: Instant)
  /// The daemon has ordered something to be shown or moved.
  mutating func take(_ order: ProviderInterface.Order, at now: Instant)
  /// Removes and returns the bytes to send to the board, with the latest value of each output.
  mutating func takeOutput() -> [UInt8]
  var hasOutput: Bool { get }

  /// Does what is due, and returns the call to the daemon that is needed; nil: none.
  mutating func advance(to now: Instant) -> DeviceAttachment.Call?
  /// The latest time at which ``advance(to:)`` has something to do.
  var deadline: Instant? { get }
}

/// Statistics of what arrived from a board.
struct BoardLog {
  /// How much was understood, and how much was not.
  var lines: Int64 = 0
  private(set) var misfits: Int64 = 0
  private var misfit: (line: String, reason: String)?

  /// `reason` is evaluated only for the first misfit since ``takeMisfit()``, because it may list everything that a board has.
  mutating func note(_ bytes: [UInt8], _ reason: @autoclosure () -> String) {
    misfits += 1
    if misfit == nil { misfit = (shown(bytes), reason()) }
  }

  /// The first bytes that were not understood since the last call, with the reason.
  mutating func takeMisfit() -> (line: String, reason: String)? {
    defer { misfit = nil }
    return misfit
  }
}
