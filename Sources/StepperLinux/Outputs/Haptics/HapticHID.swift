package import StepperCore
package import SystemPackage

/// The haptics of a HID device without `EV_FF`, such as the Surface Dial: they play pulses, and some knobs make
/// detents by themselves.
///
/// Every operation on the node may wait, see ``HIDNode``, so that a thread performs them, one piece of work after
/// another. The feature reports for detents are restored afterwards.
package final class HapticHID: PulseOutput {
  package let device: HapticDevice
  private let worker: WorkerThread<Outcome>
  /// nil: the node is not open yet.
  private var node: HIDNode?
  private var orders = HapticOrders()
  /// The original feature reports of the device; nil: they were not read yet.
  private var originals: [[UInt8]]?
  /// Why detents have failed, so that no more are ordered.
  package private(set) var detentFailure: Errno?
  private var isOn = false
  /// The factor of the intensity, 0…1.
  var gain = 1.0

  /// The result of a piece of work.
  private enum Outcome: Sendable {
    case opened(Result<HIDNode, Errno>)
    case played(Errno?)
    case madeDetents(Result<[[UInt8]], Errno>)
  }

  /// A result that is reported to the caller.
  package enum Event: Hashable, Sendable {
    /// Effects can be played from now on.
    case opened
    /// The node could not be opened: `EACCES`, for example, if only root is permitted.
    case notOpened(Errno)
    case pulseFailed(Errno)
    /// Reported once: no more detents are ordered.
    case detentsFailed(Errno)
  }

  /// Begins to open the node of `device`.
  package init(_ device: HapticDevice) throws(Errno) {
    self.device = device
    worker = try WorkerThread()
    try worker.start { [path = device.node] in
      .opened(Result { () throws(Errno) in try HIDNode(path) })
    }
  }

  package var name: String { device.node }
  /// Readable when ``takeResult()`` has a result.
  package var rawDescriptor: CInt { worker.rawDescriptor }
  package var isOpen: Bool { node != nil }
  /// Whether a piece of work is in progress.
  package var isBusy: Bool { worker.isBusy }
  /// The maximum of detents per turn; nil: the knob makes none by itself.
  package var mostDetents: Int? { device.detents?.mostCounts }

  // MARK: Orders

  /// Makes the knob produce detents by itself; nil: restores its original behaviour.
  package func order(_ setting: DetentReports.Setting?) {
    guard device.detents != nil, detentFailure == nil else { return }
    orders.order(detents: setting)
    work()
  }

  /// A click ends by itself; the duration of other waveforms is unknown.
  var endsByItself: Bool { device.report.click != nil }

  func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) {
    isOn = true
    let waveform = device.report.click ?? HapticReport.first
    let report = device.report.bytes(waveform: waveform, strength: pattern.strength * gain)
    orders.order(pulse: report, until: .now + pulse.on)
    work()
  }

  func end() {
    guard isOn else { return }
    isOn = false
    guard device.report.trigger.range.contains(HapticReport.stop) else { return }
    orders.order(pulse: device.report.bytes(waveform: HapticReport.stop), until: nil)
    work()
  }

  // MARK: Work

  /// Takes the result of the piece of work that has ended, and begins the next one.
  package func takeResult() -> Event? { worker.takeResult().flatMap(note) }

  /// Waits until everything that was ordered is done, at most until `deadline`.
  package func finish(until deadline: Instant) {
    while worker.isBusy {
      guard let outcome = worker.waitForResult(until: deadline) else { return }
      _ = note(outcome)
    }
  }

  private func note(_ outcome: Outcome) -> Event? {
    defer { work() }
    switch outcome {
    case .opened(.success(let node)):
      self.node = node
      return .opened
    case .opened(.failure(let error)): return .notOpened(error)
    case .played(let error): return error.map { .pulseFailed($0) }
    case .madeDetents(.success(let reports)):
      originals = originals ?? reports
      return nil
    case .madeDetents(.failure(let error)):
      detentFailure = error
      orders.giveUpDetents()
      return .detentsFailed(error)
    }
  }

  /// Begins the work that is due. If no thread can be started, the next order tries again.
  private func work() {
    guard let node, !worker.isBusy, let work = orders.next(at: .now) else { return }
    let (layout, originals) = (device.detents, originals)
    do throws(Errno) {
      try worker.start {
        switch work {
        case .pulse(let report): .played(failure { () throws(Errno) in try node.write(report) })
        case .detents(let setting):
          .madeDetents(
            Result { () throws(Errno) in try layout?.make(setting, of: originals, on: node) ?? [] })
        }
      }
      orders.began(work)
    } catch {}
  }
}

private func failure(of work: () throws(Errno) -> Void) -> Errno? {
  do throws(Errno) {
    try work()
    return nil
  } catch {
    return error
  }
}

extension DetentReports {
  /// Writes the feature reports with a setting, or as they were originally. Returns the original reports, which are
  /// read if `originals` is nil.
  fileprivate func make(_ setting: Setting?, of originals: [[UInt8]]?, on node: HIDNode) throws(Errno)
    -> [[UInt8]]
  {
    let originals = if let originals { originals } else { try node.features(reports) }
    for var report in originals {
      if let setting { apply(setting, to: &report) }
      try node.setFeature(report)
    }
    return originals
  }
}
