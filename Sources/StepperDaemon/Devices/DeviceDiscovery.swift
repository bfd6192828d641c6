import StepperCore
import StepperLinux
import SystemPackage

/// Finds the connected devices: by enumerating all of them, and by the changes that udev reports.
///
/// The daemon works without either. A failed monitor is opened again after increasing pauses, and each attempt
/// enumerates the devices, so that new devices are found with a delay. While the enumeration fails, the known devices
/// remain.
final class DeviceDiscovery {
  enum Finding {
    /// Never `overflowed`.
    case changed(DeviceChange)
    /// All connected input devices; any other known device was removed. `hasGap`: changes of the LED class may have been missed.
    case listed([DeviceIdentity], hasGap: Bool)
  }

  /// Findings since the last ``takeFindings(at:)``.
  private var findings: [Finding] = []
  private let loop: EventLoop
  private let journal: Journal
  private var monitor: DeviceMonitor?
  private var monitorProblem = StandingProblem()
  private var listProblem = StandingProblem()
  /// Attempts to open the monitor and to enumerate the devices.
  private var retry = Retry()
  /// The time of the enumeration that is needed because the kernel dropped messages.
  private var listDue: Instant?
  private var lastList: Instant?

  /// Minimum time between two enumerations after dropped messages: they are expensive, and a program that creates and
  /// removes devices in a loop must not keep the daemon busy.
  private static let listInterval = Duration.seconds(1)

  init(loop: EventLoop, journal: Journal) {
    self.loop = loop
    self.journal = journal
  }

  /// The present problems, as sentences for people.
  var problems: [String] { [monitorProblem, listProblem].compactMap(\.text) }
  /// The number of changes of ``problems``.
  var revision: Int { monitorProblem.revision + listProblem.revision }

  /// The latest time of the next ``takeFindings(at:)``.
  var deadline: Instant? { .earliest(retry.at, listDue) }

  // MARK: Time

  /// Starts the monitor. For the devices that exist already, call ``present(at:)``.
  func start(at now: Instant) {
    openMonitor()
    if monitor == nil { retry.failed(at: now) }
  }

  /// The findings since the last call, in their order.
  func takeFindings(at now: Instant) -> [Finding] {
    if retry.isDue(at: now) { tryAgain(at: now) }
    if let due = listDue, due <= now { list(hasGap: true, at: now) }
    defer { findings = [] }
    return findings
  }

  private func tryAgain(at now: Instant) {
    let wasClosed = monitor == nil
    if wasClosed { openMonitor() }
    // The enumeration follows the opening of the monitor, so that no device is missed.
    list(hasGap: wasClosed && monitor != nil, at: now)
    if monitor != nil, listProblem.text == nil { retry.clear() } else { retry.failed(at: now) }
  }

  // MARK: Enumeration

  /// All input devices; nil if the enumeration fails, which is then repeated later.
  func present(at now: Instant) -> [DeviceIdentity]? {
    lastList = now
    do throws(Errno) {
      let devices = try DeviceMonitor.devices()
      if listProblem.change(to: nil) != nil {
        journal.notice(.device, "the input devices can be listed again")
      }
      return devices
    } catch {
      let problem = "the input devices cannot be listed: \(error); the known ones remain in use"
      if listProblem.change(to: problem) == .begun { journal.error(.device, problem) }
      if retry.at == nil { retry.failed(at: now) }
      return nil
    }
  }

  private func list(hasGap: Bool, at now: Instant) {
    listDue = nil
    guard let present = present(at: now) else { return }
    findings.append(.listed(present, hasGap: hasGap))
  }

  // MARK: The monitor

  private func openMonitor() {
    do throws(Errno) {
      let monitor = try DeviceMonitor()
      try loop.watch(monitor.rawDescriptor, priority: .system) { [weak self] _, now in self?.read(at: now) }
      self.monitor = monitor
      if monitorProblem.change(to: nil) != nil {
        journal.notice(.device, "changes of devices are detected again")
      }
    } catch {
      lose(error)
    }
  }

  private func read(at now: Instant) {
    guard let monitor else { return }
    do throws(Errno) {
      for change in try monitor.receive() {
        guard change == .overflowed else {
          findings.append(.changed(change))
          continue
        }
        listDue = lastList.map { max(now, $0 + Self.listInterval) } ?? now
      }
    } catch {
      loop.unwatch(monitor.rawDescriptor)
      self.monitor = nil
      if retry.at == nil { retry.failed(at: now) }
      lose(error)
    }
  }

  private func lose(_ error: Errno) {
    let advice =
      error == .addressFamilyNotSupported ? "; the service needs AF_NETLINK in RestrictAddressFamilies=" : ""
    let problem = "changes of devices are detected late: the udev monitor failed: \(error)\(advice)"
    if monitorProblem.change(to: problem) == .begun { journal.error(.device, problem) }
  }
}
