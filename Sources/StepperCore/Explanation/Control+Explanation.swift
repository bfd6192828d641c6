/// Why an input left the value unchanged. The control must be the one before the input.
extension Control {
  typealias Outcome = EventExplanation.Outcome

  /// The reason for a step that does not move the value: it is at an end, or a step goes once around.
  var reasonAtEnd: Outcome { rules.wraps ? .noted : .limit }

  func reasonAtPress(of source: InputSource, _ route: Route, at now: Instant) -> Outcome {
    switch route.action {
    case .step(let direction, let unit):
      reasonAtPress(of: source, StepBinding(direction: direction, unit: unit), at: now)
    case .push: buttons.pushSource.map { $0 != source } ?? false ? .held : .noted
    case .reset, .rotate, .absolute: .noted
    }
  }

  private func reasonAtPress(of source: InputSource, _ step: StepBinding, at now: Instant) -> Outcome {
    var holds = buttons.holds
    // Either the release of the button was missed, or this is the same press.
    let isDown = holds.place(of: source) != nil
    guard holds.admit(source, rules.feel.secondPress) else { return isDown ? .noted : .held }
    guard target.value.units != nil else { return .unset }
    guard rules.settings.kind != .button else { return .noted }
    guard target.canPress(step.direction) else { return .limit }
    return ButtonHold(source, step, rules.feel, at: now).stepsAtPress(rules.feel) ? reasonAtEnd : .noted
  }

  func reasonAtRelease(of source: InputSource) -> Outcome {
    guard let place = buttons.holds.place(of: source), buttons.holds.all[place].stepsAtRelease(rules.feel)
    else {
      return .noted
    }
    return target.value.units == nil ? .unset : reasonAtEnd
  }

  func reason(ofSliding source: InputSource, to position: FaderAxis.Position) -> Outcome {
    faders.reason(ofMoving: source, to: position, of: target.value)
  }
}
