import Logging
import StepperConfiguration
import StepperCore
import StepperInput
import StepperInterfaces
import StepperSystem
import SystemPackage
import Varlink

/// Connects devices to the engine, and the engine's effects to the world.
package final class Daemon {
  let options: DaemonOptions
  let places: Places
  let journal: Journal
  let loop: EventLoop
  let signals: SignalSource
  let notifier: SystemdNotifier
  let discovery: DeviceDiscovery
  var loaded: ConfigurationFile.Loaded
  let controls: Controls
  let devices: Devices
  let feedback: FeedbackDispatcher
  let store: ValueStore
  let socket: ListeningSocket
  var authorization: Authorization
  var server: VarlinkServer<Daemon>?
  var latency = LatencyWindow()
  let started = Instant.now
  /// What the loop was told to wake up for, to notice when it could not.
  var armed: Instant?
  /// When the work of the last wakeup ended: what was late by then was not late for a stall. Work that takes as long as a
  /// stall is one, for it was stopped in the middle.
  var rested = Instant.now
  var stalls: Int64 = 0
  /// Grows while the machine sleeps.
  var timeAsleep = Instant.nowSinceBoot - .now
  var reporter: StatusReporter
  /// When the loop woke up.
  var now = Instant.now

  /// A wakeup this much after its deadline is a stall: what is held is not made up for (design, rule 8).
  static let stallTolerance = Duration.milliseconds(250)
  /// More than clocks differ by themselves.
  static let sleepTolerance = Duration.milliseconds(500)

  // MARK: Start

  /// Reads the configuration, and takes everything that can fail to be had.
  package init(_ options: DaemonOptions) throws(StartFailure) {
    self.options = options
    places = options.places
    journal = Journal(LogOutput())
    let socketGroup: UInt32?
    do throws(ConfigurationFailure) {
      loaded = try options.configurationFile.load()
      authorization = try Authorization(loaded, scope: places.scope)
      socketGroup = try loaded.socketGroup()
    } catch {
      throw .configuration(error.problems)
    }
    journal.level = options.logLevel ?? Logger.Level(loaded.configuration.daemon.logLevel)
    notifier = .take()
    reporter = StatusReporter(notifier)
    for problem in places.problems + notifier.problems { journal.warning(.daemon, problem) }
    do throws(Errno) {
      loop = try EventLoop()
      signals = try SignalSource()
    } catch {
      throw .system("cannot set up the event loop: \(error)")
    }
    discovery = DeviceDiscovery(loop: loop, journal: journal)
    let settings = loaded.configuration.daemon
    controls = Controls(loaded.configuration, at: now)
    devices = Devices(loop: loop, controls: controls, at: now) { [journal] in journal.info(.device, $0) }
    feedback = FeedbackDispatcher(
      controls, devices, loop: loop, journal: journal,
      environment: HookEvent.baseEnvironment(
        address: options.socketPath ?? settings.socketPath ?? places.socket, inheriting: environmentVariable))
    do throws(Errno) {
      store = try ValueStore(
        directory: settings.stateDirectory ?? places.state, saveAfter: settings.saveAfter,
        saveInterval: settings.saveInterval, journal: journal)
    } catch {
      throw .system("cannot set up the event loop: \(error)")
    }
    socket = ListeningSocket(
      path: options.socketPath ?? settings.socketPath ?? places.socket, group: socketGroup,
      scope: places.scope, journal: journal)
    try loadValues()
    // What was restored is no change.
    feedback.configure(at: now)
    controls.published = { [unowned self] state in
      remember(state)
      feedback.published(state)
    }
    controls.felt = { [unowned self] moment in feedback.felt(moment) }
    devices.outputsChanged = { [unowned self] in feedback.lights.noteAll() }
    try listen()
    do throws(Errno) {
      try watch()
    } catch {
      throw .system("cannot set up the event loop: \(error)")
    }
    discovery.found = { [unowned self] in found($0) }
    discovery.start(at: now)
    devices.configure(loaded.configuration.devices, present: discovery.present(at: now))
    for warning in loaded.warnings { journal.warning(.configuration, "\(warning)") }
  }

  private func listen() throws(StartFailure) {
    let service = VarlinkService(
      vendor: Version.vendor, product: "stepperd", version: Version.number, url: Version.url,
      interfaces: [.control, .device, .manager, .metrics])
    let listener = try socket.open()
    do throws(Errno) {
      server = try VarlinkServer(
        on: listener, loop: loop, service: service, handler: self,
        measured: { [unowned self] since in
          latency.record(microseconds: (Instant.now - since).nanoseconds / 1_000)
        },
        report: { [journal] message, isFault in
          if isFault { journal.warning(.client, message) } else { journal.info(.client, message) }
        })
    } catch {
      throw .system("cannot listen at \(socketPath): \(error)")
    }
  }

  private func watch() throws(Errno) {
    try loop.watch(signals.rawDescriptor, priority: .system) { [unowned self] _, _ in readSignals() }
    try watchStore()
    try watchSocket()
  }

  // MARK: Run

  /// Serves until it is told to stop by a signal.
  package func run() throws(StartFailure) {
    notifyReporting(.ready(status: statusLine))
    do throws(Errno) {
      try loop.run(wakingUp: { wake(at: $0) }, finishing: { finish(at: $0) })
    } catch {
      // Nothing is wrong with the values.
      finishSaving {}
      throw .system("the event loop failed: \(error)")
    }
  }

  private func wake(at now: Instant) {
    self.now = now
    devices.wake(at: now)
    noticeStall()
    noticeSleep()
  }

  /// Rule 8: nobody could let go while nothing could be noticed, so nothing that is held repeats for it.
  private func noticeStall() {
    guard let armed, controls.deadline == armed else { return }
    let lateness = now - max(armed, rested)
    guard lateness > Self.stallTolerance else { return }
    stalls += 1
    journal.warning(.daemon, "woke up \(lateness.milliseconds) ms late; what is held goes on from here")
    controls.advance(to: controls.now, applying: .timeSkipped(by: lateness))
  }

  /// Rule 10: after a sleep nothing is held any more.
  private func noticeSleep() {
    let asleep = Instant.nowSinceBoot - now
    defer { timeAsleep = asleep }
    guard asleep - timeAsleep > Self.sleepTolerance else { return }
    journal.info(
      .daemon, "the machine slept for \((asleep - timeAsleep).milliseconds) ms; what was held is released")
    controls.advance(to: controls.now, applying: .everythingReleased)
  }

  private func finish(at now: Instant) -> Instant? {
    discovery.advance(to: now)
    devices.fire(at: now)
    devices.applyPending()
    controls.advance(to: now)
    store.writeIfDue(at: now)
    if let due = socket.deadline, due <= now { mendSocket(at: now) }
    server?.serve(at: now)
    if feedback.perform(at: now) { server?.flush(at: now) }
    log(reporter.tell(statusLine, at: now))
    journal.advance(to: now)
    armed = controls.deadline
    rested = min(.now, now + Self.stallTolerance)
    return [
      armed, devices.deadline, feedback.deadline, store.schedule.deadline, server?.deadline(at: now),
      reporter.deadline, journal.deadline, discovery.deadline, socket.deadline,
    ].compactMap(\.self).min()
  }

  private func readSignals() {
    while let signal = signals.next() {
      switch signal {
      case .terminate, .interrupt: stop()
      case .hangUp:
        // What is wrong has been logged; there is nobody else to tell.
        _ = try? reload()
      }
    }
  }

  private func stop() {
    journal.info(.daemon, "stopping")
    notifyReporting(.stopping)
    controls.advance(to: now, applying: .everythingReleased)
    server?.flush(at: now)
    finishSaving {
      server?.stop()
      server = nil
      socket.close()
      feedback.hooks.stop(at: now)
      devices.closeOutputs()
    }
    loop.stop()
  }

  /// Tells the service manager, at once or as soon as it can be told.
  func notifyReporting(_ message: SystemdNotifier.Message) { log(reporter.announce(message, at: now)) }

  private func log(_ change: StatusReporter.Change?) {
    switch change {
    case .lost(let error):
      journal.warning(.daemon, "cannot tell the service manager: \(error); it is tried again")
    case .restored: journal.notice(.daemon, "the service manager has been told")
    case nil: break
    }
  }
}
