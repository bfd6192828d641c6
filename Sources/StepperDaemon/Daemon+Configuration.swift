import Logging
import StepperConfiguration
import StepperCore
import StepperSystem

extension Daemon {
  func check(_ text: String, file: String) -> [ConfigurationProblem] {
    ConfigurationFile.check(text, file: file).problems
  }

  /// Reads the configuration again and takes it over if it has no errors; returns its warnings.
  ///
  /// Everything that can be wrong is found before anything is changed.
  func reload() throws(ConfigurationFailure) -> [ConfigurationProblem] {
    notifyReporting(.reloading(at: now))
    defer { notifyReporting(.ready()) }
    let candidate: ConfigurationFile.Loaded
    let newAuthorization: Authorization
    do throws(ConfigurationFailure) {
      candidate = try options.configurationFile.load(replacing: loaded)
      newAuthorization = try Authorization(candidate, scope: places.scope)
    } catch {
      for problem in error.problems { journal.error(.configuration, "\(problem)") }
      journal.error(.configuration, "nothing was changed; the running configuration stays in use")
      throw error
    }
    let warnings = candidate.warnings + candidate.needingRestart(after: loaded)
    loaded = candidate
    authorization = newAuthorization
    let settings = candidate.configuration.daemon
    if options.logLevel == nil { journal.level = Logger.Level(settings.logLevel) }
    store.reschedule(saveAfter: settings.saveAfter, saveInterval: settings.saveInterval)
    // What happened before is told of the controls it happened to.
    devices.applyPending()
    controls.advance(to: now)
    feedback.takeNews(at: now)
    let former = Set(controls.configurations.map(\.settings.name))
    controls.replace(candidate.configuration, at: now)
    restoreReturned(since: former)
    devices.configure(candidate.configuration.devices, present: discovery.present(at: now))
    feedback.configure(at: now)
    for warning in warnings { journal.warning(.configuration, "\(warning)") }
    journal.notice(.configuration, "read \(candidate.name)")
    return warnings
  }
}

extension ConfigurationFile.Loaded {
  /// The settings that differ from the running ones and are only read at the start.
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
