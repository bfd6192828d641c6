extension Engine {
  /// What the events of `input` will do at `instant`, event by event, at most ``mostExplanations``. An event without
  /// an entry is bound to no control. Empty if `input` is not a frame.
  ///
  /// The engine itself does not change: a copy tries the input. The time this takes grows with the number of
  /// controls; it is for people who watch a device.
  package func explanations(of input: Input, at instant: Instant) -> [EventExplanation] {
    switch input {
    case .frame(let id, let events): explanations(of: events, from: id, lost: nil, at: instant)
    case .resynchronized(let id, let events, let keysDown):
      explanations(of: events, from: id, lost: keysDown, at: instant)
    default: []
    }
  }

  /// Nobody reads more: a frame of a thousand events that are bound to hundreds of controls would have far more
  /// entries.
  package static var mostExplanations: Int { 256 }

  /// `keysDown` are the keys that are down after a loss of events; nil: no events were lost.
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
