import StepperSystem
import StepperCore
import Logging
import StepperConfiguration

extension Daemon {
  /// Reads the configuration again and applies it if it has no errors; returns its warnings.
  ///
  /// All checks precede the first change.
  func reload() throws(ConfigurationFailure) -> [ConfigurationProblem] {
    notifyServiceManager(.reloading(at: loop.now))
    defer { notifyServiceManager(.ready()) }
    let candidate: ConfigurationFile.Loaded
    let authorization: Authorization
    do throws(ConfigurationFailure) {
      candidate = try options.configurationFile.load(replacing: world.loaded)
      authorization = try Authorization(candidate, scope: options.paths.scope)
      // It is used when the daemon is restarted, which must not fail then.
      _ = try candidate.socketGroup(scope: options.paths.scope)
    } catch {
      for problem in error.problems { journal.error(.configuration, "\(problem)") }
      journal.error(.configuration, "nothing was changed; the running configuration remains in use")
      configurationWatch.compare(with: world.loaded)
      throw error
    }
    let warnings = candidate.warnings + candidate.needingRestart(after: world.loaded)
    adopt(candidate, authorization)
    configurationWatch.compare(with: world.loaded)
    for warning in warnings { journal.warning(.configuration, "\(warning)") }
    journal.notice(.configuration, "read \(candidate.name)")
    return warnings
  }

  /// Applies a checked configuration. Earlier inputs and effects are delivered with the former controls.
  private func adopt(_ candidate: ConfigurationFile.Loaded, _ authorization: Authorization) {
    apply(nil, at: loop.now)
    feedback.notify(followers)
    feedback.dispatch(at: loop.now)
    let former = Set(world.configurations.map(\.settings.name))
    world.adopt(candidate, authorization, at: loop.now)
    publishEffects()
    followers.noteControls()
    release(
      holds.adopt(world.control(named:)) { [world] id, session in
        server.sessions[session].map { world.mayChange(id, $0.peer) } ?? false
      })
    restoreReturned(since: former)
    devices.configure(present: discovery.present(at: loop.now))
    applyInputs()
    feedback.configure(at: loop.now)
    let settings = candidate.configuration.daemon
    if options.logLevel == nil { journal.level = Logger.Level(settings.logLevel) }
    store.reschedule(saveAfter: settings.saveAfter, saveInterval: settings.saveInterval)
  }
}

extension ConfigurationFile.Loaded {
  /// The changed settings that are read only at the start.
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
