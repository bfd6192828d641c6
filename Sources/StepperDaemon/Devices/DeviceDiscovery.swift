import StepperCore
import StepperDevices
import StepperInput
import StepperSystem
import SystemPackage

/// Which devices are there: the list of all, and what udev reports of them as they come and go.
///
/// The daemon serves without either. A monitor that cannot be opened or fails is opened again after ever longer pauses,
/// and each attempt asks for the list, so that devices are found later, but found. While the list cannot be had, what is
/// known stays as it is.
final class DeviceDiscovery {
  enum Finding {
    /// Never `overflowed`.
    case changed(DeviceChange)
    /// Every input device there is. What else was known is gone; of the LED class anything may have happened if
    /// `hasGap`.
    case listed([DeviceIdentity], hasGap: Bool)
  }

  /// What was found and not taken yet.
  private var findings: [Finding] = []
  private let loop: EventLoop
  private let journal: Journal
  private var monitor: DeviceMonitor?
  private var monitorProblem: String? { didSet { noteProblems() } }
  private var listProblem: String? { didSet { noteProblems() } }
  /// What does not work, for people.
  private(set) var problems: [String] = []
  /// Set while either does not work.
  private var retry: Retry?
  /// When to ask for the list because the kernel dropped some of what happened.
  private var listDue: Instant?
  private var lastList: Instant?

  /// The list is asked for at most this often because something was dropped: it is long, and whoever makes devices come
  /// and go in a loop must not keep the daemon busy.
  private static let listInterval = Duration.seconds(1)

  init(loop: EventLoop, journal: Journal) {
    self.loop = loop
    self.journal = journal
  }

  /// They are asked for in each wakeup, and hardly ever change.
  private func noteProblems() { problems = [monitorProblem, listProblem].compactMap(\.self) }

  /// When to call ``takeFindings(at:)`` at the latest.
  var deadline: Instant? { [retry?.at, listDue].compactMap(\.self).min() }

  // MARK: Time

  /// Begins to watch. Devices that were there before are in ``present(at:)``.
  func start(at now: Instant) {
    openMonitor()
    if monitor == nil { retry = Retry(after: now) }
  }

  /// What was found since the last call, in its order.
  func takeFindings(at now: Instant) -> [Finding] {
    if let due = retry?.at, due <= now { tryAgain(at: now) }
    if let due = listDue, due <= now { list(hasGap: true, at: now) }
    defer { findings = [] }
    return findings
  }

  private func tryAgain(at now: Instant) {
    let wasClosed = monitor == nil
    if wasClosed { openMonitor() }
    // Listed after the monitor is open, so that nothing falls between the two.
    list(hasGap: wasClosed && monitor != nil, at: now)
    if monitor != nil, listProblem == nil { retry = nil } else { retry?.postpone(from: now) }
  }

  // MARK: The list

  /// Every input device there is; nil if that cannot be found out now. It is tried again then.
  func present(at now: Instant) -> [DeviceIdentity]? {
    lastList = now
    do throws(Errno) {
      let devices = try DeviceMonitor.devices()
      if listProblem != nil { journal.notice(.device, "the input devices can be listed again") }
      listProblem = nil
      return devices
    } catch {
      let problem = "the input devices cannot be listed: \(error); those that are known stay in use"
      if listProblem == nil { journal.error(.device, problem) }
      listProblem = problem
      if retry == nil { retry = Retry(after: now) }
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
      try loop.watch(monitor.rawDescriptor, priority: .system) { [unowned self] _, now in read(at: now) }
      self.monitor = monitor
      if monitorProblem != nil { journal.notice(.device, "devices that come and go are noticed again") }
      monitorProblem = nil
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
      retry = Retry(after: now)
      lose(error)
    }
  }

  private func lose(_ error: Errno) {
    let advice =
      error == .addressFamilyNotSupported ? "; the service needs AF_NETLINK in RestrictAddressFamilies=" : ""
    let problem = "devices that come and go are noticed late: the udev monitor failed: \(error)\(advice)"
    if monitorProblem == nil { journal.error(.device, problem) }
    monitorProblem = problem
  }
}
