package import StepperCore
package import StepperInterfaces
import Varlink

/// A device that a program brings, without I/O and without a clock: what it did until the daemon has it, and how it stands.
///
/// There is one call at a time. What comes meanwhile is one report: turns of an axis are added up, of its positions the latest
/// counts. Of more than a daemon that is slow can be given, it is told how the device stands.
package struct DeviceAttachment: Sendable {
  package let declaration: ProviderInterface.Attach.Parameters
  /// Whether it is to be attached now. It stays attached when this becomes false.
  package var isWanted = true
  /// As the daemon names it; nil: it is not attached, as far as is known here.
  package private(set) var handle: String?
  /// Why the daemon does not take it.
  package private(set) var refusal: Answer?

  private let retryPause: Duration
  private var nextAttempt = Instant.distantPast
  private var isCalling = false
  /// Whether the call is that to detach it: a report may have been made before it was unplugged.
  private var isDetaching = false
  /// Whether it was unplugged.
  package private(set) var isEnding = false
  /// What the call that is made reports, and what comes after it.
  private var reported: ShortList<ProviderInterface.Frame> = []
  private var frames: ShortList<ProviderInterface.Frame> = []
  /// Whether the daemon is to be told how the device stands, before `frames`.
  private var isLost = false
  /// Whether the daemon was away when it was called last, or has not taken the device: what that does then is not done later.
  private var isAway = false
  private var nextRenewal = Instant.distantFuture
  private var standing: DeviceStanding
  package var keysDown: Set<String> { standing.keysDown }

  private static let mostFrames = 64

  /// `retryPause` is the time after which a device that was not taken is attached again.
  package init(_ declaration: ProviderInterface.Attach.Parameters, retryPause: Duration) {
    (self.declaration, self.retryPause) = (declaration, retryPause)
    standing = DeviceStanding(declaration)
  }

  /// A call that is to be made for it, and what came of it.
  package enum Call: Hashable, Sendable {
    case attach(ProviderInterface.Attach.Parameters)
    case report(ProviderInterface.Report.Parameters)
    case detach(ProviderInterface.Detach.Parameters)
  }

  package enum Answer: Hashable, Sendable {
    case attached(handle: String)
    case done
    /// The daemon was not there, or has not answered.
    case absent
    case refused(code: String, message: String)
  }

  // MARK: What it does

  /// It has turned by `value` counts, is at `value`, or its key goes down (1) or up (0).
  package mutating func add(_ code: String, _ value: Int64, at now: Instant) {
    standing.add(code, value)
    guard !isAway else {
      isLost = true
      return
    }
    note(.init(time: now.nanoseconds / 1_000, events: [.init(code: code, value: value)]))
  }

  private mutating func note(_ frame: ProviderInterface.Frame) {
    let event = frame.events[0]
    // What other axes have done since does not depend on it; a key does.
    let last = frames.lastIndex { $0.events[0].code == event.code || standing.isKey($0.events[0].code) }
    if let last, frames[last].events[0].code == event.code, merge(event.code, event.value, into: last) {
      return
    }
    if frames.count >= Self.mostFrames { loseFrames() }
    frames.append(frame)
  }

  /// The daemon is told the present keys and positions instead; turns are kept, because nothing else tells them.
  private mutating func loseFrames() {
    let turns = frames.filter { standing.isRelative($0.events[0].code) }
    (frames, isLost) = ([], true)
    for turn in turns { note(turn) }
  }

  private mutating func merge(_ code: String, _ value: Int64, into index: Int) -> Bool {
    if standing.isRelative(code) {
      frames[index].events[0].value += value
      return true
    }
    guard standing.isAbsolute(code) else { return false }
    frames[index].events[0].value = value
    return true
  }

  /// What it did is not done any more, and its keys are up.
  package mutating func reset() {
    standing.releaseKeys()
    (frames, isLost) = ([], true)
  }

  /// It is what `former` was, in another declaration: keys of both that are down stay down, and what `former` has not reported is
  /// done here.
  mutating func goOn(from former: DeviceAttachment) {
    for key in former.keysDown where declaration.keys?.contains(key) == true { standing.add(key, 1) }
    if former.handle == nil || former.isLost {
      for (code, value) in former.standing.positions where has(code, as: former) { standing.add(code, value) }
    }
    frames = former.frames.filter { has($0.events[0].code, as: former) } + frames
    standing.add(Array(frames), after: nil)
  }

  /// Whether both have this input, and in the same way.
  func has(_ code: String, as former: DeviceAttachment) -> Bool {
    let (new, old) = (declaration, former.declaration)
    return new.keys?.contains(code) == true && old.keys?.contains(code) == true
      || new.relative?.contains { $0.code == code && old.relative?.contains($0) == true } == true
      || new.absolute?.contains { $0.code == code && old.absolute?.contains($0) == true } == true
  }

  // MARK: The daemon

  /// It was away, or may have been: the next report shows whether it has the device.
  package mutating func daemonCame() {
    nextAttempt = .distantPast
    isLost = true
  }

  /// The connection that has attached it has ended: the daemon has it no more. The answer to a call that is made says that too.
  package mutating func connectionEnded(at now: Instant) {
    guard !isCalling, handle != nil else { return }
    (handle, nextAttempt) = (nil, now)
  }

  /// It is unplugged: nothing but that is said any more.
  package mutating func end() { isEnding = true }

  /// Whether it was unplugged, and the daemon knows that.
  package var isEnded: Bool { isEnding && !isCalling && handle == nil }

  /// When ``nextCall(at:)`` has a call at the latest; nil: when something happens.
  package var deadline: Instant? {
    guard !isCalling else { return nil }
    if isEnding { return handle == nil ? nil : .distantPast }
    guard handle != nil else { return isWanted ? nextAttempt : nil }
    if !frames.isEmpty || isLost { return .distantPast }
    return lease != nil && !keysDown.isEmpty ? nextRenewal : nil
  }

  private var lease: Int64? { declaration.leaseMilliseconds }

  /// The call that is to be made now; its answer is given to ``answered(_:at:)``.
  package mutating func nextCall(at now: Instant) -> Call? {
    guard let deadline, deadline <= now else { return nil }
    isCalling = true
    guard let handle else { return .attach(declaration) }
    if isEnding {
      isDetaching = true
      return .detach(.init(handle: handle))
    }
    let lost = isLost ? standing.lost : nil
    (isLost, reported, frames) = (false, frames, [])
    if let lease { nextRenewal = now + .milliseconds(lease / 3) }
    return .report(.init(handle: handle, frames: reported, lost: lost))
  }

  /// Returns false if the device is lost with the connection, so that nobody knows how much of the report was done.
  @discardableResult package mutating func answered(_ answer: Answer, at now: Instant) -> Bool {
    (isCalling, isAway) = (false, answer == .absent)
    defer { reported = [] }
    switch answer {
    case .attached(let handle):
      // Its keys are up there.
      (self.handle, refusal) = (handle, nil)
      isLost = !standing.isUnmoved
      return true
    case .done:
      if isDetaching { handle = nil }
      return true
    case .absent, .refused: return failed(answer, at: now)
    }
  }

  private mutating func failed(_ answer: Answer, at now: Instant) -> Bool {
    let wasAttached = handle != nil
    handle = nil
    guard wasAttached else {
      // What it did meanwhile is not done later.
      (frames, nextAttempt, isAway) = ([], now + retryPause, true)
      if answer != .absent { refusal = answer }
      return true
    }
    nextAttempt = now
    if answer == .absent {
      // Nothing is done twice.
      frames = []
      return false
    }
    // The daemon has the device no more, and has done nothing of it. Of too much it is told how the device stands.
    frames = reported + frames
    if frames.count > Self.mostFrames { loseFrames() }
    return true
  }
}
