package import StepperCore
package import StepperInterfaces

/// A provided device that may be replaced by another one: the daemon loses the former device before it gets the next.
/// A device that changes all the time is replaced once a second.
package struct ReplaceableDevice: Sendable {
  /// The present device, or a former one until the daemon knows that it is gone.
  package private(set) var attachment: DeviceAttachment?
  /// The device that is attached once the former one is detached, with the events that it has had until then.
  private var next: DeviceAttachment?
  /// Whether the next device may be attached as soon as the former one has ended.
  private var mayBegin = false
  private var beginnings = RateLimit(every: .seconds(1), burst: 4)

  private static let retryPause = Duration.seconds(2)

  package init() {}

  /// The daemon's name for the attached device; nil: none is attached.
  package var handle: String? { attachment?.handle }

  /// The same if the device has outputs; nil without outputs, because the daemon sends no orders for it.
  package var handleOfOutputs: String? {
    attachment?.declaration.outputs?.isEmpty ?? true ? nil : attachment?.handle
  }

  /// The keys that are down on it.
  package var keysDown: Set<String> {
    let former = next != nil && attachment?.isEnding == true ? nil : attachment?.keysDown
    return (former ?? []).union(next?.keysDown ?? [])
  }

  /// Replaces the device by another one. With `goesOn` both are the same device to the user's hand, which may hold
  /// keys meanwhile; the former one then stays until it may be replaced.
  package mutating func become(
    _ declaration: ProviderInterface.Attach.Parameters, goesOn: Bool = false, at now: Instant
  ) {
    var new = DeviceAttachment(declaration, retryPause: Self.retryPause)
    if !goesOn { attachment?.end() } else if let next { new.goOn(from: next) }
    next = new
    begin(at: now)
  }

  /// The device is unplugged.
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

  /// Does what is due, and returns the call to make to the daemon.
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
