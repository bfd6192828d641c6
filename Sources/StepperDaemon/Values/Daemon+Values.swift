import StepperConfiguration
import StepperCore
import StepperSystem
import SystemPackage

extension Daemon {
  /// How long the last values are waited for when the daemon stops: well below the 90 s after which the service manager
  /// kills it (`TimeoutStopSec=`), and longer than a slow card takes.
  static let patienceAtStop = Duration.seconds(5)
  /// How long clients are kept meanwhile.
  private static let clientsPatienceAtStop = Duration.milliseconds(250)

  /// Before anything is served.
  func loadValues() throws(StartFailure) {
    do throws(LockFailure) {
      try store.load(at: now)
    } catch {
      throw .unavailable(
        "\(error.explanation); stop it, or give this one a socket and a state-directory of its own")
    }
    configureStore()
    restore { _ in true }
  }

  /// Gives the controls that fit `isWanted` the values that are remembered of them.
  func restore(where isWanted: (ControlSettings) -> Bool) {
    for id in controls.ids where controls.configuration(of: id).restores {
      let settings = controls.configuration(of: id).settings
      guard isWanted(settings), let value = store.value(for: settings) else { continue }
      if value != controls.state(of: id).value { controls.advance(to: now, applying: .restored(id, value)) }
    }
  }

  /// After a reload: controls that were away, and choices whose names were.
  func restoreReturned(since former: Set<String>) {
    configureStore()
    restore { $0.kind == .choice || !former.contains($0.name) }
  }

  private func configureStore() {
    store.configure(controls.configurations.map { ($0.settings, $0.restores) }, at: now)
  }

  func remember(_ state: ControlState) {
    let configuration = controls.configuration(of: state.control)
    guard configuration.restores else { return }
    store.remember(state, of: configuration.settings, at: now)
  }

  func watchStore() throws(Errno) {
    try loop.watch(store.rawDescriptor, priority: .system) { [unowned self] _, now in
      let names = store.takeResult(at: now)
      if !names.isEmpty { restore { names.contains($0.name) } }
    }
  }

  /// Has the last values written. Who waits for a `Save` is answered first if that is soon; the others have
  /// been told that it stops before it waits for long.
  func finishSaving(whileStopping stop: () -> Void) {
    let deadline = Instant.now + Self.patienceAtStop
    _ = store.finish(until: .now + Self.clientsPatienceAtStop)
    server?.flush(at: now)
    stop()
    if !store.finish(until: deadline, mayWait: true) {
      let reason =
        store.problem ?? "the disk has not answered in \(Self.patienceAtStop.milliseconds / 1_000) s"
      journal.error(.daemon, "the last values were not written: \(reason)")
    }
  }
}
