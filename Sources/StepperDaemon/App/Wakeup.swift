import StepperConfiguration
import StepperCore
import StepperInput
import StepperSystem
import SystemPackage
import Varlink

/// What happens in one wakeup of the event loop, in this order. Before it, the loop's handlers have collected: frames of
/// devices, findings of udev, bytes of clients, signals, results of saves. Nothing but this function decides what comes
/// after what.
extension Daemon {
  /// Returns when to wake up next at the latest.
  func wakeUp(at now: Instant) -> Instant? {
    collect(at: now)
    decide(at: now)
    answer(at: now)
    perform(at: now)
    return settle(at: now)
  }

  /// What is due by the time alone happens; devices come and go. All of it ends up in the queue of inputs.
  private func collect(at now: Instant) {
    noticeInterruptions(at: now)
    for finding in discovery.takeFindings(at: now) { note(finding) }
    devices.fire()
    restore(store.takeReturned())
  }

  /// The engine is given everything that happened, in the order of the time stamps, and then the time itself.
  private func decide(at now: Instant) {
    applyInputs()
    apply(nil, at: now)
    for signal in received { obey(signal) }
    received = []
  }

  /// Followers get what changed, then calls are answered, each as an input of its own, and followers get what that
  /// changed.
  private func answer(at now: Instant) {
    if let listener = socket.mend(isInPlace: { server.listener.isInPlace }, at: now) { listen(on: listener) }
    notify(at: now)
    server.answer(at: now) { call, session throws(VarlinkFailure) in
      logCall(call, from: session)
      let answer = try Methods(daemon: self).answer(call, from: session, at: now)
      applyInputs()
      publishEffects()
      return answer
    }
    release(server.takeEnded())
    notify(at: now)
  }

  /// Outputs play, lights follow, commands start: after the clients, because feedback must not delay a change.
  private func perform(at now: Instant) { feedback.perform(at: now) }

  /// Values are saved, the service manager is notified, and the next deadline is found.
  private func settle(at now: Instant) -> Instant? {
    store.writeIfDue(at: now)
    log(reporter.tell(statusLine, at: now))
    journal.advance(to: now)
    interruptions.rest(at: now, deadline: world.deadline)
    return [
      world.deadline, devices.deadline, feedback.deadline, store.schedule.deadline, server.deadline(at: now),
      reporter.deadline, journal.deadline, discovery.deadline, socket.deadline,
    ].compactMap(\.self).min()
  }
}

// MARK: Parts

extension Daemon {
  /// Gives the engine what is queued.
  func applyInputs() {
    let inputs = devices.takeInputs()
    guard !inputs.isEmpty else { return }
    let began = Instant.now
    for (time, input) in inputs { apply(input, at: time) }
    devices.reader.note(inputs: inputs.count, took: .now - began)
  }

  /// Moves time to `now`, applies `input`, and passes on the effects.
  func apply(_ input: Input?, at now: Instant) {
    if let input { logInput(input) }
    world.advance(to: now, applying: input)
    publishEffects()
  }

  /// Passes on what the engine has ordered, each effect to everything that it concerns.
  func publishEffects() {
    for effect in world.takeEffects() {
      logEffect(effect)
      switch effect {
      case .publish(let state):
        followers.note(.state(state.control))
        store.remember(state, of: world.configuration(of: state.control), at: loop.now)
        feedback.note(state)
      case .adjusted: followers.note(.definition)
      case .feedback(let moment): feedback.note(moment)
      // The call that asked for it is answered with it.
      case .refuse, .applied: break
      }
    }
  }

  /// Every follower gets what changed since its last reply, as far as its client takes it.
  private func notify(at now: Instant) {
    let changes = devices.takeChanges()
    for name in changes.names { followers.note(.device(name)) }
    if changes.hasOtherOutputs { feedback.lights.noteAll() }
    feedback.notify(followers, at: now)
    server.publish(at: now)
  }

  private func noticeInterruptions(at now: Instant) {
    if let lateness = interruptions.stall(at: now, deadline: world.deadline) {
      journal.warning(.daemon, "woke up \(lateness.milliseconds) ms late; what is held goes on from here")
      apply(.timeSkipped(by: lateness), at: world.now)
    }
    if let time = interruptions.sleep(at: now) {
      journal.info(.daemon, "the machine slept for \(time.milliseconds) ms; what was held is released")
      apply(.everythingReleased, at: world.now)
    }
  }

  private func note(_ finding: DeviceDiscovery.Finding) {
    switch finding {
    case .changed(.present(let identity)): devices.plugged(identity)
    case .changed(.removed(let node)): devices.unplugged(node)
    case .changed(.classPresent(let name)): devices.classPlugged(name)
    case .changed(.classRemoved(let name)): devices.classUnplugged(name)
    case .changed(.overflowed): break
    case .listed(let present, let hasGap):
      devices.configure(present: present)
      guard hasGap else { return }
      for name in devices.entries.compactMap(\.className) { devices.classUnplugged(name) }
    }
  }

  private func obey(_ signal: SignalSource.Signal) {
    switch signal {
    case .terminate, .interrupt: stop()
    case .hangUp:
      // What is wrong with the file is in the log.
      _ = try? reload()
    }
  }

  /// What belonged to a connection ends with it.
  private func release(_ ended: VarlinkServer.Ended) {
    for stream in ended.streams { followers.remove(stream) }
    for session in ended.sessions {
      devices.release(all: session)
      feedback.lights.release(all: session)
    }
    applyInputs()
  }

  /// Clients connect at another listener, because somebody has removed the file of the former one.
  private func listen(on listener: consuming UnixListener) {
    do throws(Errno) {
      try server.listen(on: listener, at: loop.now)
    } catch {
      journal.error(.daemon, "clients cannot connect: \(error)")
    }
  }
}
