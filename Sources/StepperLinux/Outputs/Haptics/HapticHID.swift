package import StepperCore
package import SystemPackage

/// The haptics of a HID device without `EV_FF`, such as the Surface Dial: they play pulses, and those of some knobs make detents by
/// themselves.
///
/// Whatever is done with its node may wait, see ``HIDNode``, so that a thread does it, one piece of work after another. The feature
/// reports for detents are given back as they were.
package final class HapticHID: PulseOutput {
  package let device: HapticDevice
  private let worker: WorkerThread<Outcome>
  /// nil: it is not open yet.
  private var node: HIDNode?
  private var orders = HapticOrders()
  /// The feature reports as the device had them at first; nil: they were not read yet.
  private var originals: [[UInt8]]?
  /// Why it makes no detents any more.
  package private(set) var detentFailure: Errno?
  private var isOn = false
  /// The factor of the intensity, 0…1.
  var gain = 1.0

  /// What became of a piece of work.
  private enum Outcome: Sendable {
    case opened(Result<HIDNode, Errno>)
    case played(Errno?)
    case madeDetents(Result<[[UInt8]], Errno>)
  }

  /// What the caller is to know of it.
  package enum Event: Hashable, Sendable {
    /// Effects can be played from now on.
    case opened
    /// Such as `EACCES` if only root is permitted.
    case notOpened(Errno)
    case pulseFailed(Errno)
    /// It is reported once: no more detents are ordered.
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
  /// Readable when ``takeResult()`` has something.
  package var rawDescriptor: CInt { worker.rawDescriptor }
  package var isOpen: Bool { node != nil }
  /// Whether work has begun that has not ended.
  package var isBusy: Bool { worker.isBusy }
  /// The most detents of a turn; nil: it makes none by itself.
  package var mostDetents: Int? { device.detents?.mostCounts }

  // MARK: Orders

  /// Has the knob make detents by itself; nil: as it did at first.
  package func order(_ setting: DetentReports.Setting?) {
    guard device.detents != nil, detentFailure == nil else { return }
    orders.order(detents: setting)
    work()
  }

  /// A click ends without a command; the duration of other waveforms is unknown.
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

  /// Takes the result of a piece of work that has ended, and begins the next one.
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

  /// Begins the work that is due. Without a thread for it the next order tries again.
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
  /// Writes the feature reports with a setting, or as they were at first. Returns those, which are read if `originals` is nil.
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
