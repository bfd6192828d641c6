import StepperCommands
import StepperCore
import StepperText
import Testing

/// One control, and hands at every button it may have, in virtual time.
struct Bench {
  private(set) var engine: Engine
  /// Everything that was told, after the device was connected.
  private(set) var told: [ControlState] = []
  /// The value before the first of these.
  let start: FixedPoint?
  /// How far time has come, in milliseconds.
  private(set) var now: Int64 = 0

  /// A button of the device `hands`.
  enum Button: String, CaseIterable, Sendable {
    case plus = "KEY_VOLUMEUP"
    case minus = "KEY_VOLUMEDOWN"
    case pagePlus = "BTN_0"
    case pageMinus = "BTN_1"
    case toMaximum = "BTN_2"
    case toMinimum = "BTN_3"

    fileprivate var key: String {
      switch self {
      case .plus: "increment"
      case .minus: "decrement"
      case .pagePlus: "page-increment"
      case .pageMinus: "page-decrement"
      case .toMaximum: "to-maximum"
      case .toMinimum: "to-minimum"
      }
    }
  }

  /// `options` are pairs as in a timeline. Without both ends there is no button that goes there, and no fader.
  init(_ options: String, hasEnds: Bool = true) throws {
    let buttons = Button.allCases.filter { hasEnds || ($0 != .toMaximum && $0 != .toMinimum) }
    let inputs =
      buttons.map { "\($0.key)=hands:\($0.rawValue)" } + ["rotate=hands:REL_DIAL"]
      + (hasEnds ? ["absolute=hands:ABS_X"] : [])
    engine = Engine(
      try configurationFrom(["control c \(options) \(inputs.joined(separator: " "))"]), at: .milliseconds(0))
    var hands = DeviceCapabilities(settingsName: "hands", axisRanges: [0: 0...1000])
    hands.usages = Set(
      try Button.allCases.map { try timelineCodes.usage($0.rawValue) } + [.dial, .absolute(0)])
    self.hands = hands
    _ = engine.advance(to: .milliseconds(0), applying: .deviceAdded(Self.device, hands))
    state = try #require(engine[Self.control])
    settings = try #require(engine.adjustedSettings(of: Self.control))
    start = state.value
  }

  private let hands: DeviceCapabilities
  private static let device = DeviceNumber(1)
  private static let control = ControlID(0, generation: 0)

  /// What everyone knows of it now.
  private(set) var state: ControlState
  var value: FixedPoint? { state.value }
  /// Whether both buttons would do something.
  var arrows: [Bool] { [state.canIncrement, state.canDecrement] }
  /// As adjusted.
  private(set) var settings: ControlSettings
  /// As it is shown; empty while it is unset.
  var text: String { value.map(settings.text) ?? "" }

  // MARK: What happens

  /// A moment at which another value was told.
  struct Change: Hashable {
    var time: Int64
    var value: FixedPoint?
  }

  var changes: [Change] {
    var former = start
    var changes: [Change] = []
    for state in told where state.value != former {
      changes.append(Change(time: state.time.nanoseconds / 1_000_000, value: state.value))
      former = state.value
    }
    return changes
  }
  var values: [FixedPoint?] { changes.map(\.value) }
  var times: [Int64] { changes.map(\.time) }

  @discardableResult
  mutating func apply(_ input: Input?, at time: Int64? = nil) -> [Effect] {
    now = time ?? now
    let effects = engine.advance(to: .milliseconds(now), applying: input)
    for case .publish(let state) in effects { told.append(state) }
    state = engine[Self.control] ?? state
    settings = engine.adjustedSettings(of: Self.control) ?? settings
    return effects
  }

  mutating func wait(until time: Int64) { apply(nil, at: time) }

  mutating func press(_ button: Button, at time: Int64? = nil) throws { try move(button.rawValue, 1, time) }

  mutating func release(_ button: Button, at time: Int64? = nil) throws { try move(button.rawValue, 0, time) }

  /// Too short to repeat.
  mutating func tap(_ button: Button, at time: Int64? = nil) throws {
    try press(button, at: time)
    try release(button, at: now + 20)
  }

  mutating func hold(_ button: Button, from time: Int64 = 0, for duration: Int64) throws {
    try press(button, at: time)
    try release(button, at: time + duration)
  }

  mutating func turn(_ detents: Int32, at time: Int64? = nil) throws { try move("REL_DIAL", detents, time) }

  mutating func slide(_ position: Int32, at time: Int64? = nil) throws { try move("ABS_X", position, time) }

  private mutating func move(_ name: String, _ value: Int32, _ time: Int64?) throws {
    apply(.frame(Self.device, [EvdevEvent(try timelineCodes.usage(name), value)]), at: time)
  }

  mutating func unplug(at time: Int64? = nil) { apply(.deviceRemoved(Self.device), at: time) }

  mutating func plugIn(at time: Int64? = nil) { apply(.deviceAdded(Self.device, hands), at: time) }

  // MARK: Clients

  mutating func set(_ number: FixedPoint?, clamps: Bool = true, isText: Bool = false) {
    apply(.set(Self.control, SetRequest(number, clamps: clamps, isText: isText)))
  }

  mutating func step(_ count: Int64, _ unit: StepUnit = .step) { apply(.step(Self.control, count, unit)) }

  /// False if it was refused.
  @discardableResult
  mutating func adjust(
    minimum: FixedPoint? = nil, maximum: FixedPoint? = nil, step: FixedPoint? = nil, at time: Int64? = nil
  ) -> Bool {
    let adjustment = Adjustment(minimumValue: minimum, maximumValue: maximum, stepValue: step)
    return apply(.adjust(Self.control, adjustment), at: time).contains(.adjusted(Self.control))
  }

  mutating func press(_ action: PressAction, hold: Int64, at time: Int64) {
    apply(.press(Self.control, HoldNumber(hold), action), at: time)
  }

  mutating func release(hold: Int64, at time: Int64) {
    apply(.release(Self.control, HoldNumber(hold)), at: time)
  }

  mutating func turnByClient(_ detents: Int64, at time: Int64) {
    apply(.turn(Self.control, detents: detents), at: time)
  }

  mutating func slide(hold: Int64, _ position: Int64, at time: Int64) {
    apply(.slide(Self.control, HoldNumber(hold), position: position), at: time)
  }

  func isHeld(_ hold: Int64) -> Bool { engine.isHeld(HoldNumber(hold), on: Self.control) }

  var minimum: FixedPoint? { settings.minimumValue }
  var maximum: FixedPoint? { settings.maximumValue }
}

/// A pair of settings from a number of a vector: `step=0.1`.
func pair(_ key: String, _ number: JSON) throws -> String {
  "\(key)=\(try #require(number.decimal, "no number for \(key)").normalized)"
}
