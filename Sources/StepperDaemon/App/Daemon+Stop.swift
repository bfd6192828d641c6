import StepperCore
import StepperLinux

extension Daemon {
  /// Timeout of the last save: well below the 90 s after which the service manager kills the daemon
  /// (`TimeoutStopSec=`), and longer than a slow memory card needs.
  static let saveTimeoutAtStop = Duration.seconds(5)
  /// Maximum time for answering the calls that were received by the time of the signal.
  private static let callTimeoutAtStop = Duration.milliseconds(500)
  /// Maximum time that clients stay connected during the last save.
  private static let clientTimeoutAtStop = Duration.milliseconds(250)

  /// Ends the last wakeup and stops the daemon. First answers the calls that were already received; no more calls are
  /// received from here on, so that every change that is confirmed to a client is also saved. Then releases everything
  /// that is held, sends subscribers the last changes, saves the values, sends clients that wait for a `Save` its
  /// result if it is available soon, and closes all connections. Only then does the daemon wait for a slow disk.
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
        store.problem.text ?? "the disk has not answered in \(Self.saveTimeoutAtStop.milliseconds / 1_000) s"
      journal.error(.daemon, "the last values were not written: \(reason)")
    }
    recorder?.finish()
    loop.stop()
  }
}
