package import StepperCore
package import StepperInterfaces
import Varlink

/// A provided device as a value, without I/O and without a clock: the events that the daemon does not have yet, and
/// the current state of the inputs.
///
/// At most one call runs at a time. Events that happen meanwhile are collected for one report: turns of an axis are
/// added up, and only the latest position of an axis is kept. If a slow daemon leaves too many events waiting, it
/// gets the current state of the inputs instead. As with a device of the kernel, the state at the time of attaching
/// is no event: neither a key that is down nor the place of a fader moves anything.
package struct DeviceAttachment: Sendable {
  package let declaration: ProviderInterface.Attach.Parameters
  /// Whether the device is to be attached now. It stays attached when this becomes false.
  package var isWanted = true
  /// The daemon's name for the attached device; nil: it is not attached, as far as is known here.
  package private(set) var handle: String?
  /// Why the daemon does not accept the device.
  package private(set) var refusal: Answer?

  private let retryPause: Duration
  /// When the device may be attached, or reported of.
  private var nextAttempt = Instant.distantPast
  private var isCalling = false
  /// Whether the running call is the one that detaches the device: when the device is unplugged, a report may still
  /// be running.
  private var isDetaching = false
  /// Whether the device was unplugged.
  package private(set) var isEnding = false
  /// The events in the running report, and those that come after it.
  private var reported: ShortList<ProviderInterface.Frame> = []
  private var frames: ShortList<ProviderInterface.Frame> = []
  /// Whether the daemon is to be told the state of the inputs before `frames`.
  private var isLost = false
  /// Whether the daemon was away at the last call, or has not accepted the device. Events that happen then are not
  /// reported later.
  private var isAway = false
  private var nextRenewal = Instant.distantFuture
  private var standing: DeviceStanding
  /// The state of the inputs before `reported` and `frames`.
  private var told: DeviceStanding
  package var keysDown: Set<String> { standing.keysDown }

  private static let mostFrames = 64
  /// The errors of a report that the daemon does not accept from a device that it has.
  private static let wrongReports: [String] = [
    StepperClientError.Code.invalidReport, .invalidParameter,
  ].map(\.description)

  /// `retryPause` is the time until the next attempt to attach a device that was not accepted.
  package init(_ declaration: ProviderInterface.Attach.Parameters, retryPause: Duration) {
    (self.declaration, self.retryPause) = (declaration, retryPause)
    standing = DeviceStanding(declaration)
    told = standing
  }

  /// A call that is to be made for the device, and its outcome.
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

  /// The axis has turned by `value` counts or is at `value`, or the key goes down (1) or up (0).
  package mutating func add(_ code: String, _ value: Int64, at now: Instant) {
    standing.add(code, value)
    guard !isAway else {
      (told, isLost) = (standing, true)
      return
    }
    note(.init(time: now.nanoseconds / 1_000, events: [.init(code: code, value: value)]))
  }

  private mutating func note(_ frame: ProviderInterface.Frame) {
    // Only adjacent events are merged. What happened in between may decide the effect: a layer depends on keys, and
    // on controls that other axes drive.
    if let last = frames.indices.last, merge(frame, into: last) { return }
    if frames.count >= Self.mostFrames {
      if mergeAfterKeys(frame) { return }
      loseFrames()
    }
    frames.append(frame)
  }

  /// Used when there is no room to keep every event in order: merges a turn or a position into the last one of its
  /// axis, unless a key event lies between them.
  private mutating func mergeAfterKeys(_ frame: ProviderInterface.Frame) -> Bool {
    let code = frame.events[0].code
    let last = frames.lastIndex { $0.events[0].code == code || standing.isKey($0.events[0].code) }
    return last.map { merge(frame, into: $0) } ?? false
  }

  /// The daemon is told the present keys and positions instead; turns are kept, because no state shows them.
  private mutating func loseFrames() {
    let turns = frames.filter { standing.isRelative($0.events[0].code) }
    reported = reported.filter { standing.isRelative($0.events[0].code) }
    (frames, told, isLost) = ([], standing, true)
    for turn in turns where !mergeAfterKeys(turn) { frames.append(turn) }
  }

  private mutating func merge(_ frame: ProviderInterface.Frame, into index: Int) -> Bool {
    let event = frame.events[0]
    guard frames[index].events[0].code == event.code else { return false }
    if standing.isRelative(event.code) {
      frames[index].events[0].value += event.value
    } else if standing.isAbsolute(event.code) {
      frames[index].events[0].value = event.value
    } else {
      return false
    }
    frames[index].time = frame.time
    return true
  }

  /// Releases all keys. Of the events that were not reported only the turns are kept.
  package mutating func reset() {
    standing.releaseKeys()
    loseFrames()
  }

  /// Continues from `former`, which has another declaration: keys of both that are down stay down, and this device
  /// takes over the events that `former` has not reported.
  mutating func goOn(from former: DeviceAttachment) {
    var before = former.told
    before.add(Array(former.reported), after: nil)
    var stood = told
    stood.take(before, where: { has($0, as: former) })
    frames = former.frames.filter { has($0.events[0].code, as: former) } + frames
    (told, standing) = (stood, stood)
    standing.add(Array(frames), after: nil)
    if frames.count > Self.mostFrames { loseFrames() }
  }

  /// Whether both devices declare this input in the same way, wherever its axis stands.
  func has(_ code: String, as former: DeviceAttachment) -> Bool {
    let (new, old) = (declaration, former.declaration)
    return new.keys?.contains(code) == true && old.keys?.contains(code) == true
      || new.relative?.contains { $0.code == code && old.relative?.contains($0) == true } == true
      || new.absolute?.contains {
        $0.code == code && old.absolute?.map(\.unplaced).contains($0.unplaced) == true
      } == true
  }

  // MARK: The daemon

  /// The daemon was away, or may have been: the next report shows whether it still has the device.
  package mutating func daemonCame() {
    nextAttempt = .distantPast
    isLost = true
  }

  /// The connection over which the device was attached has ended, and the daemon no longer has the device. While a
  /// call runs this does nothing: its answer tells the same.
  package mutating func connectionEnded(at now: Instant) {
    guard !isCalling, handle != nil else { return }
    (handle, nextAttempt) = (nil, now)
  }

  /// The device is unplugged: the daemon is told only that from now on.
  package mutating func end() { isEnding = true }

  /// Whether the device was unplugged, and the daemon knows it.
  package var isEnded: Bool { isEnding && !isCalling && handle == nil }

  /// When ``nextCall(at:)`` has a call at the latest; nil: not before something else happens.
  package var deadline: Instant? {
    guard !isCalling else { return nil }
    if isEnding { return handle == nil ? nil : .distantPast }
    guard handle != nil else { return isWanted ? nextAttempt : nil }
    if !frames.isEmpty || isLost { return nextAttempt }
    return lease != nil && !keysDown.isEmpty ? nextRenewal : nil
  }

  private var lease: Int64? { declaration.leaseMilliseconds }

  /// The call to make now; pass its answer to ``answered(_:at:)``.
  package mutating func nextCall(at now: Instant) -> Call? {
    guard let deadline, deadline <= now else { return nil }
    isCalling = true
    guard let handle else {
      isLost = false
      return .attach(told.placing(declaration))
    }
    if isEnding {
      isDetaching = true
      return .detach(.init(handle: handle))
    }
    let lost = isLost ? told.lost : nil
    (isLost, reported, frames) = (false, frames, [])
    if let lease { nextRenewal = now + .milliseconds(lease / 3) }
    return .report(.init(handle: handle, frames: reported, lost: lost))
  }

  /// Returns false if the device was lost with the connection, so that it is unknown how much of the report was
  /// performed.
  @discardableResult package mutating func answered(_ answer: Answer, at now: Instant) -> Bool {
    (isCalling, isAway) = (false, answer == .absent)
    defer { reported = [] }
    switch answer {
    case .attached(let handle):
      // The daemon starts with all keys up, and with the axes where they were when the call was made.
      (self.handle, refusal) = (handle, nil)
      isLost = isLost || !told.keysDown.isEmpty
      return true
    case .done:
      told.add(Array(reported), after: nil)
      if isDetaching { handle = nil }
      return true
    case .absent, .refused: return failed(answer, at: now)
    }
  }

  private mutating func failed(_ answer: Answer, at now: Instant) -> Bool {
    if case .refused(let code, _) = answer, handle != nil, Self.wrongReports.contains(code) {
      // The daemon has the device, and performed nothing of the report: it is told the state of the inputs.
      (frames, told, isLost, nextAttempt) = ([], standing, true, now + retryPause)
      return true
    }
    let wasAttached = handle != nil
    handle = nil
    guard wasAttached else {
      // Events that happened meanwhile are not reported later.
      (frames, told, nextAttempt, isAway) = ([], standing, now + retryPause, true)
      if answer != .absent { refusal = answer }
      return true
    }
    nextAttempt = now
    if answer == .absent {
      // The report may have been performed, and nothing may be done twice.
      (frames, told) = ([], standing)
      return false
    }
    // The daemon no longer has the device, and performed nothing of the report. If there is too much to report again,
    // the daemon is told the state of the inputs.
    frames = reported + frames
    if frames.count > Self.mostFrames { loseFrames() }
    return true
  }
}

extension ProviderInterface.AbsoluteAxis {
  fileprivate var unplaced: Self {
    var axis = self
    axis.value = nil
    return axis
  }
}
