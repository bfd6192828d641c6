internal import StepperClient
internal import StepperCore
internal import StepperInterfaces

/// What a board on a serial line says and is told, and the device that it is, without I/O and without a clock.
protocol BoardProtocol {
  /// What it calls itself; nil: it has not said that.
  var name: String? { get }
  var device: ReplaceableDevice { get set }
  /// What came that was understood, and that was not.
  var log: BoardLog { get set }

  /// The port is open.
  mutating func opened(at now: Instant)
  /// It is unplugged, or the port is closed.
  mutating func closed()
  mutating func receive(_ bytes: [UInt8], at now: Instant)
  /// The daemon wants something shown or moved.
  mutating func take(_ order: ProviderInterface.Order, at now: Instant)
  /// Bytes for the board, of each output the latest.
  mutating func takeOutput() -> [UInt8]
  var hasOutput: Bool { get }

  /// Does what is due, and returns what the daemon is to be called for.
  mutating func advance(to now: Instant) -> DeviceAttachment.Call?
  /// When ``advance(to:)`` has something to do at the latest.
  var deadline: Instant? { get }
}

/// What came from a board.
struct BoardLog {
  /// How much was understood, and how much was not.
  var lines: Int64 = 0
  private(set) var misfits: Int64 = 0
  private var misfit: (line: String, reason: String)?

  /// `reason` is made of the first since ``takeMisfit()`` alone: it may name all that a board has.
  mutating func note(_ bytes: [UInt8], _ reason: @autoclosure () -> String) {
    misfits += 1
    if misfit == nil { misfit = (shown(bytes), reason()) }
  }

  /// What was not understood since the last call, the first of it, with the reason.
  mutating func takeMisfit() -> (line: String, reason: String)? {
    defer { misfit = nil }
    return misfit
  }
}
