import Logging
import StepperConfiguration
import StepperCore
import StepperLinux

extension Daemon {
  /// Begins to read the configuration file if a reload was requested or the file has changed.
  func readConfiguration(at now: Instant) {
    guard configuration.readIfDue(at: now, running: world.loaded) else { return }
    notifyServiceManager(.reloading(at: now))
  }

  /// Applies the configuration that was read for a reload, if it has no errors: all checks precede the first change.
  func finishReload() {
    guard let reading = configuration.takeReload(running: world.loaded) else { return }
    defer { notifyServiceManager(.ready()) }
    switch reading {
    case .unusable(let failure):
      journal.error(.configuration, "nothing was changed; the running configuration remains in use")
      log(failure.problems)
      configuration.noteEnd(
        .failure(failure), included: world.loaded.configuration.daemon.includedFile)
    case .usable(let candidate):
      let warnings = candidate.loaded.warnings + candidate.loaded.needingRestart(after: world.loaded)
      adopt(candidate.loaded, candidate.authorization)
      log(warnings)
      journal.notice(.configuration, "read \(candidate.loaded.name)")
      configuration.noteEnd(
        .success(warnings), included: candidate.loaded.configuration.daemon.includedFile)
    case .unchanged: break
    }
  }

  /// Logs errors first, because the log limits the number of messages in an interval.
  func log(_ problems: [ConfigurationProblem]) {
    for error in problems where error.severity == .error { journal.error(.configuration, "\(error)") }
    for warning in problems where warning.severity == .warning {
      journal.warning(.configuration, "\(warning)")
    }
  }

  /// Applies a checked configuration. Earlier inputs and effects are delivered with the former controls.
  private func adopt(_ candidate: ConfigurationFile.Loaded, _ authorization: Authorization) {
    apply(nil, at: loop.now)
    feedback.notify(subscriptions)
    feedback.dispatch(at: loop.now)
    let former = Dictionary(
      world.configurations.map { ($0.settings.name, $0.settings.kind) }, uniquingKeysWith: { kind, _ in kind }
    )
    world.adopt(candidate, authorization, at: loop.now)
    passOnEffects()
    subscriptions.noteRights()
    subscriptions.noteControls()
    endForbiddenHolds()
    restoreReturned(since: former)
    devices.configure(present: discovery.present(at: loop.now))
    applyInputs()
    feedback.configure(at: loop.now)
    let settings = candidate.configuration.daemon
    refusedProviders.removeAll { _, _ in true }
    applyLogLevel()
    store.reschedule(saveAfter: settings.saveAfter, saveInterval: settings.saveInterval)
  }

  /// Releases what only an administrator may hold: inputs of virtual devices, and lights.
  func releaseInputs(of session: Int64) {
    devices.release(all: session)
    feedback.lights.release(all: session)
  }

  /// Ends all holds that clients may no longer have, including those of removed controls.
  func endForbiddenHolds() {
    for session in server.sessions.values where !world.authorization.isAdministrator(session.peer) {
      releaseInputs(of: session.id)
    }
    release(
      holds.adopt(world.control(named:)) { [world] id, session in
        server.sessions[session].map { world.mayChange(id, $0.peer) } ?? false
      })
  }

  func applyLogLevel() {
    journal.level =
      logLevel ?? options.logLevel ?? Logger.Level(world.loaded.configuration.daemon.logLevel)
  }
}

extension ConfigurationFile.Loaded {
  /// Warnings about changed settings that are read only at the start.
  fileprivate func needingRestart(after running: ConfigurationFile.Loaded) -> [ConfigurationProblem] {
    let (new, old) = (configuration.daemon, running.configuration.daemon)
    let differing = [
      ("socket", new.socketPath != old.socketPath), ("socket-group", new.socketGroup != old.socketGroup),
      ("state-directory", new.stateDirectory != old.stateDirectory),
    ].filter(\.1)
    return differing.map { key, _ in
      var problem = ConfigurationProblem(
        file: name, keyPath: "daemon.\(key)", message: "takes effect when stepperd is restarted")
      problem.severity = .warning
      return problem
    }
  }
}
