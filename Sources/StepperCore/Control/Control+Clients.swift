// The buttons, knobs and faders of clients act like inputs that are bound to this control alone.
extension Control {
  /// Whether the control still holds this input of a client.
  func isHeld(_ source: InputSource) -> Bool { buttons.isHeld(source) || slides.contains(source) }

  mutating func press(_ hold: HoldNumber, _ action: PressAction, at now: Instant) {
    let source = InputSource(hold: hold)
    guard !isHeld(source), let action = settings.action(of: action) else { return }
    press(source, Route(action), at: now)
  }

  mutating func turn(by detents: Int64, at now: Instant) {
    guard detents != 0, settings.kind != .button else { return }
    turn(
      RelativeAxis.Turn(detents: detents, acceleratedSteps: nil), by: .client(nil), times: 1, feedback: nil,
      at: now)
  }

  mutating func slide(_ hold: HoldNumber, to position: Int64, at now: Instant) {
    let source = InputSource(hold: hold)
    guard settings.isEnabled, hasFaders, !buttons.isHeld(source) else { return }
    beginSlide(source)
    let position = min(max(position, 0), Input.faderTravel)
    _ = slide(
      source, to: FaderAxis.Position(position: position, travel: Input.faderTravel), feedback: nil, at: now)
  }

  /// The inputs that clients hold.
  var clientSources: [InputSource] {
    let sources = buttons.holds.all.map { $0.source } + [buttons.pushSource].compactMap { $0 } + slides
    return sources.filter { $0.owner.isClient }
  }

  /// Whether an input that a client holds is still a valid button or fader of this control.
  func mayHold(_ source: InputSource) -> Bool {
    if slides.contains(source) { return hasFaders }
    return settings.kind != .button || source == buttons.pushSource
  }

  private var hasFaders: Bool { settings.hasFaders }
}

extension ControlSettings {
  /// Whether an absolute axis can be bound to the control: its range needs two ends.
  package var hasFaders: Bool { kind != .button && ValueRange(self).span != nil }
}
