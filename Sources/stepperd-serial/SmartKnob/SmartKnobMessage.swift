/// A message from a SmartKnob.
///
/// Source: `proto/smartknob.proto` of github.com/scottbez1/smartknob, version 1 of the protocol.
enum SmartKnobMessage: Hashable {
  /// The knob has taken the message with this number.
  case acknowledged(UInt64)
  case state(State)
  /// A line of the knob's log, which is meant for its developers.
  case log

  struct State: Hashable {
    /// A number of 32 bits.
    let position: Int64
    /// The count of presses, with 8 bits.
    let presses: UInt8
    /// The `positionNonce` of the configuration that `position` refers to.
    let positionNonce: UInt8

    /// Cuts each field to the number of bits that it has in the firmware, whatever was sent.
    init(position: Int64 = 0, presses: Int64 = 0, positionNonce: Int64 = 0) {
      self.position = Int64(Int32(truncatingIfNeeded: position))
      self.presses = UInt8(truncatingIfNeeded: presses)
      self.positionNonce = UInt8(truncatingIfNeeded: positionNonce)
    }
  }

  static let version: Int64 = 1

  /// nil: the message is of another version, or is empty.
  init?(_ bytes: [UInt8]) throws(ProtobufReader.Misfit) {
    var reader = ProtobufReader(bytes)
    var version: Int64 = 0
    var result: SmartKnobMessage?
    while let (field, value) = try reader.next() {
      switch (field, value) {
      case (1, .number(let number)): version = number
      case (2, .part(let part)):
        result = .acknowledged(UInt64(bitPattern: try Self.numbers(of: part)[1] ?? 0))
      case (3, .part): result = .log
      case (4, .part(let part)): result = .state(try Self.state(of: part))
      default: break
      }
    }
    guard version == Self.version, let result else { return nil }
    self = result
  }

  private static func state(of bytes: [UInt8]) throws(ProtobufReader.Misfit) -> State {
    let numbers = try numbers(of: bytes)
    var positionNonce: Int64 = 0
    var reader = ProtobufReader(bytes)
    while let (field, value) = try reader.next() {
      if field == 3, case .part(let part) = value { positionNonce = try self.numbers(of: part)[3] ?? 0 }
    }
    return State(position: numbers[1] ?? 0, presses: numbers[4] ?? 0, positionNonce: positionNonce)
  }

  /// The whole-number fields of a message.
  private static func numbers(of bytes: [UInt8]) throws(ProtobufReader.Misfit) -> [UInt64: Int64] {
    var reader = ProtobufReader(bytes)
    var result: [UInt64: Int64] = [:]
    while let (field, value) = try reader.next() {
      if case .number(let number) = value { result[field] = number }
    }
    return result
  }
}

/// How a SmartKnob is to feel, and what it is to show.
struct SmartKnobConfiguration: Hashable {
  var position: Int64 = 0
  /// When this number changes, the knob takes over `position`.
  var positionNonce: UInt8 = 0
  /// nil: the knob turns without end.
  var bounds: ClosedRange<Int64>?
  /// From 0 to 1.
  var strength: Float = 1
  /// At most 50 bytes.
  var text = ""

  private var bytes: [UInt8] {
    var writer = ProtobufWriter()
    writer.number(position, 1)
    writer.number(Int64(positionNonce), 3)
    // Reversed bounds mean that there are none.
    writer.number(bounds?.lowerBound ?? 0, 4)
    writer.number(bounds?.upperBound ?? -1, 5)
    writer.float(width, 6)
    writer.float(strength, 7)
    writer.float(strength, 8)
    // The point where a detent ends and the next one begins, a little beyond the middle, so that the knob does not waver between the two.
    writer.float(1.1, 9)
    writer.part(Array(text.utf8), 10)
    return writer.bytes
  }

  /// The angle of a detent. The whole range takes three quarters of a turn, if each detent can still be felt.
  private var width: Float {
    let degree = Float.pi / 180
    // A range that nobody could turn through counts as unbounded.
    guard let bounds, bounds.upperBound - bounds.lowerBound < 1 << 20 else { return 10 * degree }
    let steps = Float(max(bounds.upperBound - bounds.lowerBound, 1))
    return min(max(270 / steps, 2), 30) * degree
  }

  /// A message with this configuration and a number, by which it is acknowledged.
  func message(_ nonce: UInt64) -> [UInt8] { Self.message(nonce, bytes, 4) }

  /// A message that requests the state.
  static func request(_ nonce: UInt64) -> [UInt8] { message(nonce, [], 3) }

  private static func message(_ nonce: UInt64, _ part: [UInt8], _ field: UInt64) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.number(SmartKnobMessage.version, 1)
    writer.number(Int64(bitPattern: nonce), 2)
    writer.part(part, field)
    return writer.bytes
  }
}
