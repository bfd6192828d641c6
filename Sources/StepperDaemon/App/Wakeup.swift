import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import SystemPackage
import Varlink

/// The order of the work in a wakeup. Before it, the handlers of the event loop have collected frames of devices,
/// findings of udev, bytes of clients, signals and results of saves. ``wakeUp(at:)`` alone determines the order of all
/// further work.
extension Daemon {
  /// Does the work that is due. Returns the deadline of the next wakeup; nil: there is none.
  func wakeUp(at now: Instant) -> Instant? {
    collect(at: now)
    decide(at: now)
    notify(at: now)
    answer(at: now)
    guard !isStopping else {
      end(at: now)
      return nil
    }
    perform(at: now)
    return settle(at: now)
  }

  /// Does the work of devices that is due, and adds and removes devices. The results are queued as inputs.
  private func collect(at now: Instant) {
    repeating.renew()
    if let listener = socket.recreateIfMissing(isInPlace: { server.listener.isInPlace }, at: now) {
      listen(on: listener)
    }
    noticeSleep(at: now)
    for finding in discovery.takeFindings(at: now) { note(finding) }
    // Before the leases of providers end: if the daemon was stalled, providers have renewed their leases meanwhile.
    takeReports(at: now)
    devices.fire()
    for (end, hold) in holds.endLeases(at: now) {
      devices.queue.append(.release(hold.id, hold.number), at: end)
    }
    restore(store.takeRecovered())
  }

  /// Answers the calls of providers, within their time budget. Reported frames are queued with the frames of other
  /// devices, so that all of them are applied in the order of their time stamps.
  func takeReports(at now: Instant) {
    guard devices.hasProviders else { return }
    server.answer(.providers, at: now) { call, session throws(VarlinkFailure) in
      logCall(call, from: session)
      let methods = Methods(daemon: self, session: session, now: now)
      guard call.method != ProviderInterface.Report.name else { return try methods.answer(call) }
      // Other calls take effect after everything that was reported before them.
      applyInputs()
      defer {
        applyInputs()
        passOnEffects()
      }
      return try methods.answer(call)
    }
  }

  /// Passes all inputs to the engine in the order of their time stamps, and then advances the engine to the present time.
  private func decide(at now: Instant) {
    // Only frames are measured: inputs of clients have a budget of their own. A few frames take less time than reading
    // the clock, and are not measured.
    if devices.queue.count + devices.observed.count < Self.fewFrames {
      passObserved()
      applyInputs()
    } else {
      let began = Instant.now
      // The first reaction to a burst does not wait for the rest of the burst.
      let first = applyInputs(atMost: Self.fewFrames)
      notify(at: now)
      let observed = passObserved()
      devices.account.note(frames: first + observed + applyInputs(), took: .now - began)
    }
    apply(nil, at: now)
    if !isStopping { finishReload() }
  }

  private static var fewFrames: Int { 8 }

  /// Answers calls, applies each as a separate input, and sends subscribers the resulting changes.
  func answer(at now: Instant) {
    server.answer(.others, at: now) { call, session throws(VarlinkFailure) in
      logCall(call, from: session)
      defer {
        applyInputs()
        passOnEffects()
      }
      return try Methods(daemon: self, session: session, now: now).answer(call)
    }
    release(server.takeEnded())
    notify(at: now)
  }

  /// Plays effects, updates lights and starts commands. Clients are served first, because feedback must not delay a change.
  private func perform(at now: Instant) {
    feedback.perform(at: now)
    if devices.hasFollowing || followDeadline.map({ $0 <= now }) ?? false {
      followDeadline = devices.followControls()
    }
    guard devices.hasProviders, !devices.orders.isEmpty else { return }
    subscriptions.note(devices.takeOrders())
    subscriptions.takeDue { server.noteDue($0) }
    server.sendReplies(at: now)
  }

  /// Saves values, notifies the service manager, and returns the next deadline.
  private func settle(at now: Instant) -> Instant? {
    store.writeIfDue(at: now)
    readConfiguration(at: now)
    recorder?.writeIfDue(at: now)
    updateStatusLine()
    log(reporter.update(statusLine.text, at: now))
    journal.advance(to: now)
    var next = Instant.earliest(world.deadline, devices.deadline)
    next = .earliest(next, holds.deadline)
    next = .earliest(next, followDeadline)
    next = .earliest(next, feedback.deadline)
    next = .earliest(next, store.schedule.deadline)
    next = .earliest(next, recorder?.deadline)
    next = .earliest(next, server.deadline(at: now))
    next = .earliest(next, reporter.deadline)
    next = .earliest(next, journal.deadline)
    next = .earliest(next, discovery.deadline)
    next = .earliest(next, configuration.deadline)
    return .earliest(next, socket.deadline)
  }
}

// MARK: Parts

extension Daemon {
  /// Passes the queued inputs to the engine, or the first `most` of them; returns their number.
  @discardableResult
  func applyInputs(atMost most: Int = .max) -> Int {
    var count = 0
    let isWatched = subscriptions.followFrames
    devices.queue.sort()
    while count < most, let (time, input) = devices.queue.next(notAfter: loop.now) {
      if isWatched { observe(input, at: time) }
      apply(input, at: time)
      count += 1
    }
    return count
  }

  /// Moves the time of the engine to `now`, applies `input`, and passes on the effects.
  func apply(_ input: Input?, at now: Instant) {
    repeatHolds(until: now)
    if let input { logInput(input) }
    world.advance(to: now, applying: input)
    passOnEffects()
  }

  /// Fires the deadlines until `now`, within the time budget of a wakeup. Deadlines that do not fit are postponed,
  /// together with everything that is held: if more is held than the machine can repeat, repeats become slower, and
  /// clients do not wait for them. Repeats that a stall has delayed are postponed in the same way, and at the present
  /// time other deadlines too, because what followed them is not known. What happened before a queued input is known: a
  /// long press was long.
  private func repeatHolds(until now: Instant) {
    while let due = world.deadline, due <= now {
      let lateness = Interruptions.lateness(of: due, at: loop.now)
      if let lateness, now == loop.now || world.engine.hasRepeat(at: due) {
        interruptions.noteStall()
        journal.warning(
          .daemon, "woke up \(lateness.milliseconds) ms late; this time does not count for held buttons")
        world.advance(to: world.now, applying: .timeSkipped(by: lateness))
        continue
      }
      guard !repeating.isSpent else {
        world.advance(to: world.now, applying: .timeSkipped(by: now - due))
        guard repeating.noteSlow(at: now) else { return }
        return journal.warning(
          .daemon,
          "this machine cannot repeat everything that is held as often as configured; repeats are slower")
      }
      let count = world.fire(until: lateness == nil ? now : due, atMost: repeating.portion)
      passOnEffects()
      feedback.notify(subscriptions)
      repeating.spend(count) { .now }
    }
  }

  /// Passes each effect of the engine to the parts of the daemon that it concerns.
  func passOnEffects() {
    while let effect = world.nextEffect() {
      logEffect(effect)
      switch effect {
      case .publish(let state):
        subscriptions.noteState(of: state.control)
        store.record(state, of: world.entry(of: state.control), at: loop.now)
        feedback.note(state)
        devices.noteFollowing()
      case .adjusted:
        subscriptions.noteDescriptions()
        devices.noteFollowing()
      case .feedback(let moment): feedback.note(moment)
      case .becameIdle: feedback.note(.boardIdle, at: loop.now)
      case .becameActive(let device): feedback.note(.boardActive, by: device, at: loop.now)
      // ``World/advance(to:applying:)`` has returned these to the client's method, for its reply.
      case .refuse, .applied: break
      }
    }
  }

  /// Sends each subscriber the changes since its last reply, as far as its client accepts them.
  func notify(at now: Instant) {
    if subscriptions.followFrames, !devices.changedNames.isEmpty { updateWatching() }
    let changes = devices.takeChanges()
    for name in changes.names { subscriptions.noteDevice(name) }
    if changes.hasOtherOutputs { feedback.lights.noteAll() }
    feedback.notify(subscriptions)
    subscriptions.takeDue { server.noteDue($0) }
    server.sendReplies(at: now)
  }

  private func noticeSleep(at now: Instant) {
    guard clockHasMoved else { return }
    clockHasMoved = false
    if let time = interruptions.sleep(at: now) {
      journal.info(.daemon, "the machine slept for \(time.milliseconds) ms; all holds are released")
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

  /// Queues the release of holds that have not ended by themselves.
  func release(_ ended: [ClientHolds.Hold]) {
    for hold in ended where !hold.hasEnded {
      devices.queue.append(.release(hold.id, hold.number), at: loop.now)
    }
  }

  /// Releases everything that belonged to closed connections.
  private func release(_ ended: VarlinkServer.Ended) {
    var hasWatched = false
    for row in ended.rows where subscriptions.remove(row) { hasWatched = true }
    if hasWatched { updateWatching() }
    for session in ended.sessions {
      releaseInputs(of: session)
      devices.detach(all: session)
      release(holds.removeAll(of: session))
    }
    applyInputs()
  }

  /// Replaces the listener, because the file of the former one was removed.
  private func listen(on listener: consuming UnixListener) {
    do throws(Errno) {
      try server.listen(on: listener, at: loop.now)
    } catch {
      journal.error(.daemon, "clients cannot connect: \(error); trying again in a second")
    }
  }
}
