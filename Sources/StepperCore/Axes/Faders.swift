/// The positions of the faders that drive one control, and whether they have picked up its value.
struct Faders: Hashable, Sendable {
  private var positions: [InputSource: FaderAxis.Position] = [:]

  /// Records the position of a fader without moving the value.
  mutating func place(_ source: InputSource, at position: FaderAxis.Position) {
    positions[source] = position
  }

  struct Movement: Hashable, Sendable {
    /// The value that the fader sets, in units of the range; nil: it sets none.
    var target: Int64?
  }

  /// Records a movement; nil if it is noise.
  ///
  /// A movement that maps to the same value is noise and sets nothing, whatever the control's value is by now. With
  /// soft pickup the fader sets the value only while it holds it: while the value is where the fader left it, or once
  /// the fader reaches or passes it.
  mutating func move(_ source: InputSource, to position: FaderAxis.Position, of value: BoundedValue)
    -> Movement?
  {
    let last = positions.updateValue(position, forKey: source)
    guard let target = Self.units(at: position, of: value) else { return nil }
    let start = last.flatMap { Self.units(at: $0, of: value) }
    guard start != target else { return nil }
    if value.rules.feel.pickup == .soft, let units = value.units {
      guard let start, min(start, target)...max(start, target) ~= units else { return Movement() }
    }
    return Movement(target: target)
  }

  /// Why a movement leaves the value unchanged.
  func reason(ofMoving source: InputSource, to position: FaderAxis.Position, of value: BoundedValue)
    -> EventExplanation.Outcome
  {
    guard let target = Self.units(at: position, of: value) else { return .noted }
    if positions[source].flatMap({ Self.units(at: $0, of: value) }) == target { return .partial }
    var faders = self
    return faders.move(source, to: position, of: value)?.target == nil ? .pickup : .noted
  }

  private static func units(at place: FaderAxis.Position, of value: BoundedValue) -> Int64? {
    let (feel, range) = (value.rules.feel, value.rules.range)
    let units = range.value(at: place.position, of: place.travel, feel.curve)
    return feel.snapping == .always ? units.map(range.snapped) : units
  }

  /// Forgets the faders of a removed device, which may come back at any position.
  mutating func forget(_ device: DeviceNumber) {
    positions = positions.filter { $0.key.owner != .device(device) }
  }

  mutating func forget(_ source: InputSource) { positions[source] = nil }

  mutating func forgetAll() { positions = [:] }
}
