/// Knobs that are turned and faders that are moved.
extension Control {
  mutating func turn(
    _ turn: RelativeAxis.Turn, of device: DeviceNumber, by route: ConnectedDevice.Route,
    curve: AccelerationCurve?, at now: Instant
  ) {
    guard settings.isEnabled else { return }
    cause = Cause(device: device, feedback: route.feedback)
    push.turn()
    let (sum, overflow) = turned.addingReportingOverflow(turn.detents)
    if !overflow { turned = sum }
    let steps =
      switch settings.feel.turns {
      case .detents: accelerated(turn, curve)
      case .events: turn.detents.signum()
      }
    commitShown(at: .step)
    let before = value
    let size = multiplied(isPaging ? range.page : range.step, by: route.multiplier)
    move(by: steps, size: size, origin: .device)
    if value == before, value != nil { feel(.limit) }
    turnEnds = now + Self.turnIdleTime
  }

  /// Steps that a turn is worth. A control with at most this many steps is never accelerated, and one turn
  /// never goes further than a twentieth of the range, unless that many detents were turned.
  private func accelerated(_ turn: RelativeAxis.Turn, _ curve: AccelerationCurve?) -> Int64 {
    let shortRange: Int64 = 100
    guard let curve, !isPaging, range.stepCount.map({ $0 > shortRange }) ?? true else { return turn.detents }
    let steps = (Double(turn.detents.magnitude) * curve.gain(at: turn.speed)).rounded()
    let most = range.stepCount.map { Double($0 / 20) } ?? .infinity
    let limited = max(min(steps, most), Double(turn.detents.magnitude))
    return turn.detents.signum() * (Int64(exactly: limited) ?? turn.detents.magnitude.saturated)
  }

  /// A knob was turned while its button was held, so that the press was none.
  mutating func turnedWhilePressed(_ source: HoldSource) {
    if push.source == source { push.turn() }
  }

  /// A turn ends now rather than after its idle time.
  mutating func endTurn() { turnEnds = nil }

  /// A fader was moved. A movement within one value is noise and changes nothing, whatever the value is by now.
  /// With soft pickup it moves the value only while it has hold of it: while the value is where the fader left it,
  /// or once the fader reaches or passes it.
  mutating func slide(
    _ source: HoldSource, to place: AbsoluteAxis.Position, feedback: FeedbackEffect?, at now: Instant
  ) {
    let last = faders.updateValue(place, forKey: source)
    guard settings.isEnabled, let target = value(at: place) else { return }
    let start = last.flatMap(self.value)
    guard start != target else { return }
    if settings.feel.pickup == .soft, let value {
      guard let start, min(start, target)...max(start, target) ~= value else { return }
    }
    cause = Cause(device: source.device, feedback: feedback)
    assign(target, origin: .device)
    turnEnds = now + Self.turnIdleTime
  }

  /// What a fader sets in the present range.
  private func value(at place: AbsoluteAxis.Position) -> Int64? {
    let value = range.value(at: place.position, of: place.travel, settings.feel.curve)
    return settings.feel.snapping == .always ? value.map(range.snapped) : value
  }

  /// Where a fader stands, without moving anything.
  mutating func place(_ source: HoldSource, at place: AbsoluteAxis.Position) { faders[source] = place }

  /// Faders that are gone may come back anywhere.
  mutating func forgetFaders(of device: DeviceNumber) {
    faders = faders.filter { $0.key.device != device }
  }
}

extension UInt64 {
  /// As a signed number, at most the largest there is.
  fileprivate var saturated: Int64 { Int64(clamping: self) }
}
