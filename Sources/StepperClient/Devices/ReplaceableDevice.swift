package import StepperCore
package import StepperInterfaces

/// A device that a program brings and that may become another one: the daemon has the former no more when it gets the next.
/// One that changes without end becomes another one once a second.
package struct ReplaceableDevice: Sendable {
  /// The device that it is, or was until the daemon knows that it is not any more.
  package private(set) var attachment: DeviceAttachment?
  /// What it is when the former one is detached, with what it has done until then.
  private var next: DeviceAttachment?
  /// Whether there may be a next one now, which waits for the former one to end.
  private var mayBegin = false
  private var beginnings = RateLimit(every: .seconds(1), burst: 4)

  private static let retryPause = Duration.seconds(2)

  package init() {}

  /// As the daemon names it; nil: it has none of them.
  package var handle: String? { attachment?.handle }

  /// The same, if it has outputs: nothing is ordered of others.
  package var handleOfOutputs: String? {
    attachment?.declaration.outputs?.isEmpty ?? true ? nil : attachment?.handle
  }

  /// The keys that are down on it.
  package var keysDown: Set<String> {
    let former = next != nil && attachment?.isEnding == true ? nil : attachment?.keysDown
    return (former ?? []).union(next?.keysDown ?? [])
  }

  /// It is another device from now on; `goesOn`: the same to a hand, which may hold its keys meanwhile. Then it is what it was until
  /// it may be another one.
  package mutating func become(
    _ declaration: ProviderInterface.Attach.Parameters, goesOn: Bool = false, at now: Instant
  ) {
    var new = DeviceAttachment(declaration, retryPause: Self.retryPause)
    if !goesOn { attachment?.end() } else if let next { new.goOn(from: next) }
    next = new
    begin(at: now)
  }

  /// It is unplugged.
  package mutating func end() {
    next = nil
    attachment?.end()
  }

  private mutating func begin(at now: Instant) {
    if let attachment, attachment.isEnded { self.attachment = nil }
    guard next != nil, mayBegin || beginnings.take(at: now) else { return }
    mayBegin = true
    if let former = attachment, !former.isEnding {
      next?.goOn(from: former)
      attachment?.end()
    }
    guard attachment?.isEnded ?? true else { return }
    (attachment, next, mayBegin) = (next, nil, false)
  }

  // MARK: What it does

  /// See ``DeviceAttachment/add(_:_:at:)``.
  package mutating func add(_ code: String, _ value: Int64, at now: Instant) {
    if let former = attachment, next?.has(code, as: former) ?? true, next == nil || !former.isEnding {
      attachment?.add(code, value, at: now)
    } else {
      next?.add(code, value, at: now)
    }
  }

  /// See ``DeviceAttachment/reset()``.
  package mutating func reset() {
    attachment?.reset()
    next?.reset()
  }

  // MARK: The daemon

  package mutating func answered(_ answer: DeviceAttachment.Answer, at now: Instant) {
    attachment?.answered(answer, at: now)
  }

  /// See ``DeviceAttachment/connectionEnded(at:)``.
  package mutating func connectionEnded(at now: Instant) { attachment?.connectionEnded(at: now) }

  /// See ``DeviceAttachment/daemonCame()``.
  package mutating func daemonCame() { attachment?.daemonCame() }

  /// Does what is due, and returns what the daemon is to be called for.
  package mutating func advance(to now: Instant) -> DeviceAttachment.Call? {
    begin(at: now)
    return attachment?.nextCall(at: now)
  }

  /// When ``advance(to:)`` has something to do at the latest.
  package var deadline: Instant? {
    if let attachment, attachment.isEnded { return .distantPast }
    let beginning = next != nil && !mayBegin ? beginnings.next : nil
    return .earliest(attachment?.deadline, beginning)
  }
}
