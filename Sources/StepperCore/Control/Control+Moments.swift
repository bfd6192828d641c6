/// What can be felt of a control.
extension Control {
  /// Who moves it just now.
  struct Cause: Hashable, Sendable {
    var device: DeviceNumber
    /// What the binding wants its changes to feel like.
    var feedback: FeedbackEffect?
  }

  /// A moment and who brought it about.
  struct Felt: Hashable, Sendable {
    var moment: Moment
    var cause: Cause?
  }

  mutating func feel(_ moment: Moment) { felt.append(Felt(moment: moment, cause: cause)) }

  /// A button went down. Whatever it does, its release will be felt too.
  mutating func feelPress(of source: HoldSource) {
    guard !pressed.contains(source) else { return }
    pressed.append(source)
    feel(.press)
  }

  /// A button whose press was felt is not down any more.
  mutating func feelRelease(of source: HoldSource) {
    guard let index = pressed.firstIndex(of: source) else { return }
    pressed.remove(at: index)
    cause = Cause(device: source.device)
    feel(.release)
  }

  /// The value went from `former` to what it is now.
  mutating func feelChange(from former: Int64, wrapping: Bool) {
    guard let value else { return }
    feel(wrapping ? .wrap : value > former ? .increment : .decrement)
    let (limit, before) = (range.limit(of: value), range.limit(of: former))
    switch limit {
    case .minimum where before != .minimum: feel(.minimum)
    case .maximum where before != .maximum: feel(.maximum)
    default: break
    }
  }

  /// Whether any device drives it.
  mutating func become(live isLive: Bool) {
    guard isLive != self.isLive else { return }
    self.isLive = isLive
    cause = nil
    feel(isLive ? .connect : .disconnect)
  }

  /// What is to be felt since this was last called, in its order.
  mutating func takeFeedback(at now: Instant) -> [Feedback] {
    guard !felt.isEmpty else { return [] }
    defer { felt.removeAll(keepingCapacity: true) }
    return felt.map { felt in
      Feedback(
        control: published.control, moment: felt.moment, device: felt.cause?.device,
        effect: felt.moment.isOfBinding ? felt.cause?.feedback : nil, time: now)
    }
  }
}

extension Moment {
  /// Whether it is something that a binding did, rather than what the button itself does.
  fileprivate var isOfBinding: Bool {
    switch self {
    case .increment, .decrement, .limit, .minimum, .maximum, .wrap: true
    case .press, .release, .longPress, .reset, .set, .connect, .disconnect, .end: false
    }
  }
}
