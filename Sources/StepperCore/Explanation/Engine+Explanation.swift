extension Engine {
  /// What the events of `input` will do at `instant`, event by event, at most ``mostExplanations``: an event without an
  /// entry is bound to no control. Empty for what is no frame.
  ///
  /// The engine stays as it is: a copy of it tries the input. That takes time in proportion to the number of controls;
  /// it is for people who watch a device.
  package func explanations(of input: Input, at instant: Instant) -> [EventExplanation] {
    switch input {
    case .frame(let id, let events): explanations(of: events, from: id, lost: nil, at: instant)
    case .resynchronized(let id, let events, let keysDown):
      explanations(of: events, from: id, lost: keysDown, at: instant)
    default: []
    }
  }

  /// A frame of a thousand events that are bound to hundreds of controls has more entries than anybody reads.
  package static var mostExplanations: Int { 256 }

  /// `keysDown` is what is down after a loss of events; nil: none were lost.
  private func explanations(
    of events: EvdevEvents, from id: DeviceNumber, lost keysDown: Set<EvdevUsage>?, at instant: Instant
  ) -> [EventExplanation] {
    var trial = self
    _ = trial.advance(to: instant)
    let before = trial.controls
    if let keysDown { _ = trial.advance(to: instant, applying: .resynchronized(id, [], keysDown: keysDown)) }
    guard var device = trial.devices[id] else { return [] }
    var controls = trial.controls
    var explained = device.explain(events, at: trial.now, on: &controls, atMost: Self.mostExplanations)
    for index in explained.indices {
      let control = explained[index].control.index
      explained[index].before = before.controls[control].target.value.number
      explained[index].after = controls.controls[control].target.value.number
    }
    return explained
  }
}
