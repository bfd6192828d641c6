package import StepperInterfaces

extension ControlInterface.State {
  /// The control `volume` in the middle of its range, unless told.
  package static func example(
    _ control: String = "volume", _ value: Double = 50, limit: ControlInterface.Limit = .none,
    origin: ControlInterface.Origin = .startup, live: Bool = true, turned: Int64 = 0, sequence: Int64 = 1
  ) -> Self {
    let text = value == value.rounded() ? String(Int64(value)) : String(value)
    return Self(
      control: control, value: value, text: text, limit: limit, origin: origin, live: live, turned: turned,
      presses: 0, pressed: false, editing: false, canIncrement: true, canDecrement: true, sequence: sequence,
      monotonicMicroseconds: sequence * 1000)
  }
}

extension ControlInterface.Subscribe.Reply {
  /// A first reply with everything.
  package static func snapshot(
    _ states: [ControlInterface.State], instance: String = "one", sequence: Int64
  ) -> Self {
    Self(snapshot: true, instance: instance, sequence: sequence, coalesced: 0, states: states)
  }

  /// A later reply with what changed.
  package static func change(
    _ states: [ControlInterface.State], instance: String = "one", sequence: Int64
  ) -> Self {
    Self(snapshot: false, instance: instance, sequence: sequence, coalesced: 0, states: states)
  }
}

extension ControlInterface.MomentEvent {
  /// A step up of the control `volume` by a knob, unless told.
  package static func example(
    _ control: String = "volume", _ moment: ControlInterface.Moment = .increment,
    effect: ControlInterface.FeedbackEffect = .light, value: Double? = 43, device: String? = "knob"
  ) -> Self {
    let text = value.map { $0 == $0.rounded() ? String(Int64($0)) : String($0) }
    return Self(
      control: control, moment: moment, effect: effect, value: value, text: text,
      speech: "\(control), \(text ?? "unset")", device: device, monotonicMicroseconds: 1000)
  }
}

extension ControlInterface.SubscribeMoments.Reply {
  /// What every daemon sends first: nothing yet.
  package static let first = Self(moments: [], dropped: 0)
}
