/// The moments of one control that are not emitted as feedback yet.
struct PendingFeedback: Hashable, Sendable {
  /// The first moment is stored in place: most inputs cause only one, which then needs no array.
  private var first: Entry?
  private var rest: [Entry] = []
  /// The owner of the input that acts on the control, and the effect of its binding; nil: a client's request, or time
  /// alone.
  private var cause: Cause?
  /// Buttons whose press was added as a moment, and that are not released yet.
  private var pressed: [InputSource] = []

  private struct Cause: Hashable, Sendable {
    var owner: InputOwner
    var effect: FeedbackEffect?
  }

  private struct Entry: Hashable, Sendable {
    var moment: Moment
    var cause: Cause?

    func feedback(of control: ControlID, at now: Instant) -> Feedback {
      Feedback(
        control: control, moment: moment, device: cause?.owner.device, hold: cause?.owner.hold,
        effect: moment.isOfBinding ? cause?.effect : nil, time: now)
    }
  }

  /// The owner of the input that acts on the control; nil: there is none.
  var owner: InputOwner? { cause?.owner }

  /// Attributes the moments that follow to an input of `owner`, through a binding with `effect`; nil: to a client's
  /// request, or to time alone.
  mutating func attribute(to owner: InputOwner?, _ effect: FeedbackEffect? = nil) {
    cause = owner.map { Cause(owner: $0, effect: effect) }
  }

  mutating func add(_ moment: Moment) {
    let entry = Entry(moment: moment, cause: cause)
    if first == nil { first = entry } else { rest.append(entry) }
  }

  /// Adds the moments of a change that was made by `origin`, or `moment` in their place.
  mutating func add(_ change: BoundedValue.Change, by origin: Origin, as moment: Moment?) {
    if let moment { return add(moment) }
    switch origin {
    case .client where cause == nil: add(.set)
    case .device, .client:
      if let step = change.step { add(step) }
      if let end = change.end { add(end) }
    case .startup, .restored, .configuration, .idle: break
    }
  }

  /// A button went down. Whatever it does, its press and its release are moments.
  mutating func press(_ source: InputSource) {
    guard !pressed.contains(source) else { return }
    pressed.append(source)
    add(.press)
  }

  /// A button is up; does nothing unless ``press(_:)`` was called for it.
  mutating func release(_ source: InputSource) {
    guard let index = pressed.firstIndex(of: source) else { return }
    pressed.remove(at: index)
    attribute(to: source.owner)
    add(.release)
  }

  mutating func release(where isGone: (InputSource) -> Bool) {
    for source in pressed where isGone(source) { release(source) }
  }

  /// Appends the pending moments to `effects`, in their order.
  mutating func emit(for control: ControlID, at now: Instant, into effects: inout [Effect]) {
    guard let first else { return }
    effects.append(.feedback(first.feedback(of: control, at: now)))
    self.first = nil
    guard !rest.isEmpty else { return }
    effects += rest.map { .feedback($0.feedback(of: control, at: now)) }
    rest.removeAll(keepingCapacity: true)
  }
}

extension Moment {
  /// Whether the moment comes from the action of a binding, rather than from the button itself.
  fileprivate var isOfBinding: Bool {
    switch self {
    case .increment, .decrement, .limit, .minimum, .maximum, .wrap: true
    case .press, .release, .shortPress, .doublePress, .triplePress, .longPress, .reset, .set, .connect,
      .disconnect, .end, .idle:
      false
    }
  }
}
