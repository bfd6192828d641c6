import Logging
import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import SystemPackage
import Varlink

/// The daemon: composes the engine, the devices, the clients and everything else that ``wakeUp(at:)`` connects.
package final class Daemon {
  let options: DaemonOptions
  let journal: Journal
  let loop: EventLoop
  let signals: SignalSource
  private let clockWatch: ClockWatch
  /// Whether the wall clock was set or the machine slept before this wakeup.
  var clockHasMoved = false
  let configuration: ConfigurationLoader
  let checks: ConfigurationChecks
  let discovery: DeviceDiscovery
  let world: World
  let devices: Devices
  let subscriptions: Subscriptions
  let holds = ClientHolds()
  let feedback: FeedbackDispatcher
  let store: ValueStore
  let socket: ListeningSocket
  let server: VarlinkServer
  /// Writes the engine's log to a file; nil: inputs are not recorded.
  let recorder: EngineRecorder?
  /// Why there is no ``recorder`` although one was wanted.
  let recordingProblem: String?
  let started = Instant.now
  var interruptions = Interruptions()
  var repeating = RepeatBudget()
  var reporter: StatusReporter
  /// Users who were refused to attach devices.
  var refusedProviders = RefusedUsers<String>()
  /// When to call ``Devices/followControls()`` again: an axis that was moved by hand must rest before its motor moves it.
  var followDeadline: Instant?
  /// The log level that a client has set; nil: use the level of the command line or, without one, of the configuration.
  var logLevel: Logger.Level? { didSet { applyLogLevel() } }
  /// Updated by ``updateStatusLine()``.
  var statusLine = StatusLine()
  /// Whether a signal has asked the daemon to stop. The current wakeup is then the last one and ends with ``end(at:)``.
  /// This cannot be undone.
  private(set) var isStopping = false

  // MARK: Start

  /// Reads the configuration and the saved values, and acquires every resource whose acquisition can fail.
  package init(_ options: DaemonOptions) throws(StartFailure) {
    self.options = options
    let journal = Journal(LogOutput())
    self.journal = journal
    let checked: CheckedConfiguration
    do throws(ConfigurationFailure) {
      checked = try CheckedConfiguration(options.configurationFile, scope: options.paths.scope)
    } catch {
      throw StartFailure(error)
    }
    let loaded = checked.loaded
    let settings = loaded.configuration.daemon
    journal.level = options.logLevel ?? Logger.Level(settings.logLevel)
    let notifier = SystemdNotifier.take()
    reporter = StatusReporter(notifier)
    let stateProblem = settings.stateDirectory == nil ? options.paths.stateProblem : nil
    for problem in options.paths.problems + [stateProblem].compactMap(\.self) + notifier.problems {
      journal.warning(.daemon, problem)
    }
    do throws(Errno) {
      loop = try EventLoop()
      signals = try SignalSource()
      clockWatch = try ClockWatch()
      store = try ValueStore(
        directory: settings.stateDirectory ?? options.paths.state, saveAfter: settings.saveAfter,
        saveInterval: settings.saveInterval, journal: journal)
      configuration = try ConfigurationLoader(
        options.configurationFile, loaded, scope: options.paths.scope, loop: loop, journal: journal)
      checks = try ConfigurationChecks(loop: loop, scope: options.paths.scope)
    } catch {
      throw .system("cannot set up the event loop: \(error)")
    }
    let world = World(loaded, checked.authorization, at: loop.now)
    self.world = world
    do throws(EngineRecorder.Failure) {
      recorder = try options.recording.map { recording throws(EngineRecorder.Failure) in
        try EngineRecorder(recording, of: world, journal: journal)
      }
      recordingProblem = nil
    } catch {
      journal.error(.daemon, error.text)
      (recorder, recordingProblem) = (nil, error.text)
    }
    let path = options.socketPath ?? settings.socketPath ?? options.paths.socket ?? ""
    socket = ListeningSocket(
      path: path, group: checked.socketGroup, scope: options.paths.scope, journal: journal)
    discovery = DeviceDiscovery(loop: loop, journal: journal)
    devices = Devices(world, loop: loop, journal: journal)
    subscriptions = Subscriptions(world, devices, store, configuration, checks)
    do throws(LockFailure) {
      try store.load(at: loop.now)
    } catch {
      throw .unavailable(
        "\(error.explanation); stop it, or give this one a socket and a state-directory of its own")
    }
    let listener = try socket.open()
    feedback = FeedbackDispatcher(
      world, devices, holds, loop: loop, journal: journal,
      environment: HookEvent.baseEnvironment(address: socket.path, inheriting: environmentVariable))
    do throws(Errno) {
      server = try VarlinkServer(
        on: listener, loop: loop, service: .stepperd, source: subscriptions,
        rank: { world.authorization.rank(of: $0) },
        refusal: { VarlinkFailure(ManagerInterface.TooManyConnections(open: Int64($0))) },
        report: { message, gravity in
          switch gravity {
          case .ordinary: journal.info(.client, message)
          case .problem: journal.warning(.client, message)
          case .bug: journal.error(.bug, message)
          }
        })
      try watch()
    } catch {
      throw .system("cannot set up the event loop: \(error)")
    }
    restoreValues()
    feedback.configure(at: loop.now)
    discovery.start(at: loop.now)
    devices.configure(present: discovery.present(at: loop.now))
    log(loaded.warnings)
  }

  /// Registers the handlers of the event loop. They only collect; ``wakeUp(at:)`` does the work.
  private func watch() throws(Errno) {
    try loop.watch(signals.rawDescriptor, priority: .system) { [weak self] _, _ in self?.takeSignals() }
    try loop.watch(store.rawDescriptor, priority: .system) { [store] _, now in store.takeResult(at: now) }
    try loop.watch(clockWatch.rawDescriptor, priority: .device) { [weak self] _, _ in self?.noteClock() }
    if let recorder {
      try loop.watch(recorder.rawDescriptor, priority: .system) { _, _ in recorder.takeResult() }
    }
    guard let descriptor = socket.rawDescriptor else { return }
    try loop.watch(descriptor, priority: .system) { [socket] _, _ in socket.noteEvent() }
  }

  private func takeSignals() {
    while let signal = signals.next() {
      switch signal {
      case .terminate, .interrupt: isStopping = true
      case .hangUp: configuration.requestReload()
      }
    }
  }

  private func noteClock() {
    clockHasMoved = true
    do throws(Errno) {
      try clockWatch.acknowledge()
    } catch {
      loop.unwatch(clockWatch.rawDescriptor)
      journal.error(.daemon, "cannot detect any more that the machine slept: the timer failed: \(error)")
    }
  }

  // MARK: Run

  /// Serves until a signal stops it.
  package func run() throws(StartFailure) {
    updateStatusLine()
    notifyServiceManager(.ready(status: statusLine.text))
    do throws(Errno) {
      try loop.run { wakeUp(at: $0) }
    } catch {
      // The loop has failed; the values and the connections are still valid.
      end(at: loop.now)
      throw .system("the event loop failed: \(error)")
    }
  }

  /// Sends `message`, immediately or as soon as the service manager accepts it.
  func notifyServiceManager(_ message: SystemdNotifier.Message) {
    log(reporter.announce(message, at: loop.now))
  }

  func log(_ change: StatusReporter.Change?) {
    guard let change else { return }
    if change == .restored {
      journal.notice(.daemon, "\(change)")
    } else {
      journal.warning(.daemon, "\(change)")
    }
  }
}

extension VarlinkService {
  fileprivate static let stepperd = VarlinkService(
    vendor: "stepperd", product: "stepperd", version: Product.version, url: Product.homepage ?? "",
    interfaces: InterfaceDescription.stepperd)
}
