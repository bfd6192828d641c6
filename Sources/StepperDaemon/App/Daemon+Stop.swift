import StepperCore
import StepperLinux

extension Daemon {
  /// Timeout of the last save: well below the 90 s after which the service manager kills the daemon (`TimeoutStopSec=`), and
  /// longer than a slow memory card needs.
  static let saveTimeoutAtStop = Duration.seconds(5)
  /// How long calls are answered that have arrived with the signal.
  private static let callTimeoutAtStop = Duration.milliseconds(100)
  /// How long clients remain connected during the last save.
  private static let clientTimeoutAtStop = Duration.milliseconds(250)

  /// Ends the last wakeup, and the daemon with it. The calls that were received have their turn: there are no more of them
  /// from here on, so that each answer is of a change that is saved. Then everything that is held is released, followers have
  /// the last changes, the values are saved, clients that wait for a `Save` have its result if it is available soon, and all
  /// connections are closed. Only then the daemon waits for a slow disk.
  func end(at now: Instant) {
    journal.info(.daemon, "stopping")
    notifyServiceManager(.stopping)
    let start = Instant.now
    while server.hasCalls, .now < start + Self.callTimeoutAtStop {
      takeReports(at: now)
      applyInputs()
      answer(at: now)
    }
    apply(.everythingReleased, at: now)
    notify(at: now)
    let isSaved = store.finish(until: .now + Self.clientTimeoutAtStop)
    server.stop(at: now)
    socket.close()
    feedback.hooks.stop(at: now)
    devices.closeOutputs()
    if !isSaved, !store.finish(until: start + Self.saveTimeoutAtStop, mayWait: true) {
      let reason =
        store.problem ?? "the disk has not answered in \(Self.saveTimeoutAtStop.milliseconds / 1_000) s"
      journal.error(.daemon, "the last values were not written: \(reason)")
    }
    recorder?.finish()
    loop.stop()
  }
}
