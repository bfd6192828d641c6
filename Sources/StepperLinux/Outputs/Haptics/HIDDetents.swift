internal import CLinux
internal import Glibc
package import StepperCore
package import SystemPackage

/// A HID knob that makes detents itself, through its hidraw node.
///
/// A feature report waits for the device, over Bluetooth for up to ten seconds, so that a thread does it. Only the latest order counts.
/// The reports are given back as they were.
package final class HIDDetents {
  private let descriptor: OwnedFileDescriptor
  private let layout: DetentReports
  private let worker: WorkerThread<Result<[[UInt8]], Errno>>
  /// As the device had them at first; nil: they were not read yet.
  private var originals: [[UInt8]]?
  /// nil: as it was at first.
  private var wanted: DetentReports.Setting?
  /// What was ordered last.
  private var ordered: DetentReports.Setting?
  /// Why it makes no detents any more.
  package private(set) var failure: Errno?

  init(_ descriptor: consuming OwnedFileDescriptor, _ layout: DetentReports) throws(Errno) {
    self.descriptor = descriptor
    self.layout = layout
    worker = try WorkerThread()
  }

  /// Readable when ``takeResult()`` has something.
  package var rawDescriptor: CInt { worker.rawDescriptor }
  /// The most detents of a turn.
  package var mostDetents: Int { layout.mostCounts }

  /// What it should do; nil: what it did at first.
  package func order(_ setting: DetentReports.Setting?) {
    wanted = setting
    begin()
  }

  /// An order has been carried out. Returns why it was not; then nothing more is ordered.
  package func takeResult() -> Errno? {
    worker.takeResult().flatMap(note)
  }

  /// Gives the device what it had at first, and waits for that, at most until `deadline`.
  package func finish(until deadline: Instant) {
    order(nil)
    while worker.isBusy {
      guard let result = worker.waitForResult(until: deadline) else { return }
      _ = note(result)
    }
  }

  private func note(_ result: Result<[[UInt8]], Errno>) -> Errno? {
    switch result {
    case .success(let reports):
      originals = originals ?? reports
      begin()
      return nil
    case .failure(let error):
      failure = error
      return error
    }
  }

  private func begin() {
    guard failure == nil, !worker.isBusy, wanted != ordered else { return }
    let (layout, wanted, originals) = (layout, wanted, originals)
    do throws(Errno) {
      // A copy, because this object may be released before the work ends.
      let copy = try OwnedFileDescriptor(fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 3)).release()
      do throws(Errno) {
        try worker.start {
          defer { close(copy) }
          return Result { () throws(Errno) in
            let reports = if let originals { originals } else { try read(layout.reports, from: copy) }
            try write(reports, wanted, layout, to: copy)
            return reports
          }
        }
      } catch {
        close(copy)
        throw error
      }
      ordered = wanted
    } catch {
      // Without a thread or a descriptor the next order tries again.
    }
  }
}

private func read(_ templates: [[UInt8]], from descriptor: CInt) throws(Errno) -> [[UInt8]] {
  var reports = templates
  for index in reports.indices {
    let count = unsafe chidraw_get_feature(descriptor, &reports[index], reports[index].count)
    guard count >= 0 else { throw Errno(rawValue: -count) }
    reports[index][0] = templates[index][0]
  }
  return reports
}

/// Writes them with a setting, or as they are.
private func write(
  _ reports: [[UInt8]], _ setting: DetentReports.Setting?, _ layout: DetentReports, to descriptor: CInt
) throws(Errno) {
  for var report in reports {
    if let setting { layout.apply(setting, to: &report) }
    let count = unsafe chidraw_set_feature(descriptor, report, report.count)
    guard count >= 0 else { throw Errno(rawValue: -count) }
  }
}
