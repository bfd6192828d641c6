/// One absolute axis of one device: its position in the travel, with noise removed.
struct FaderAxis: Hashable, Sendable {
  private let travel: ClosedRange<Int32>
  private let settings: AxisSettings
  private let isInverted: Bool
  /// The last position that was not noise.
  private var last: Int32?

  /// Returns nil for an axis without travel, which has no position.
  init?(_ kernelTravel: ClosedRange<Int32>?, _ settings: AxisSettings, deviceIsInverted: Bool) {
    guard let travel = settings.travel ?? kernelTravel, travel.lowerBound < travel.upperBound else {
      return nil
    }
    self.travel = travel
    self.settings = settings
    isInverted = settings.isInverted != deviceIsInverted
  }

  /// A position in a travel that begins at 0.
  struct Position: Hashable, Sendable {
    var position: Int64
    var travel: Int64
  }

  /// The axis value at a part of its travel, 0…1.
  func report(at part: Double) -> Int32 {
    let length = Double(travel.upperBound) - Double(travel.lowerBound)
    let way = (isInverted ? 1 - part : part) * length
    return Int32(clamping: Int64(travel.lowerBound) + Int64(way.rounded()))
  }

  /// The position for a reported axis value; nil: unchanged except for noise.
  mutating func read(_ report: Int32) -> Position? {
    let place = quieted(report)
    if let last {
      let distance = abs(Int64(place) - Int64(last))
      let isAtEnd = place == travel.lowerBound || place == travel.upperBound
      guard distance > 0, distance >= Int64(settings.hysteresis) || isAtEnd else { return nil }
    }
    last = place
    return position(of: place)
  }

  /// `report` limited to the travel, and moved to the middle if it is close to it. A position in the middle is left
  /// only beyond the hysteresis, because noise at the edge of the dead zone would otherwise move it back and forth.
  private func quieted(_ report: Int32) -> Int32 {
    let place = min(max(report, travel.lowerBound), travel.upperBound)
    guard settings.deadZone > 0 else { return place }
    let middle = Int32((Int64(travel.lowerBound) + Int64(travel.upperBound)) / 2)
    let zone = Int64(settings.deadZone) + (last == middle ? Int64(settings.hysteresis) : 0)
    return abs(Int64(place) - Int64(middle)) <= zone ? middle : place
  }

  private func position(of place: Int32) -> Position {
    let (low, high) = (Int64(travel.lowerBound), Int64(travel.upperBound))
    return Position(position: isInverted ? high - Int64(place) : Int64(place) - low, travel: high - low)
  }
}
