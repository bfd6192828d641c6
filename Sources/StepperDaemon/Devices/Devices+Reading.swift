import StepperConfiguration
import StepperCore
import StepperDevices
import StepperInput
import StepperSystem
import SystemPackage

/// Opening devices, reading them, and noticing that they are lost.
extension Devices {
  func open(_ entry: DeviceEntry) {
    guard let identity = entry.identity, let configuration = entry.configuration else { return }
    do throws(Errno) {
      let device = try EvdevDevice(node: identity.node)
      // What was read before the grab is not for us alone; what is held then is told by the first frame.
      if configuration.grabs { _ = try device.grab(now: now) }
      try loop.watch(device.rawDescriptor, priority: .device) {
        [unowned self, unowned entry] readiness, now in
        // A device that is gone says so for ever, also in a pause.
        if readiness.isBroken || !entry.storm.isPaused { read(entry, now) }
      }
      entry.device = device
      entry.hasUnread = false
      entry.state = device.isGrabbed ? .grabbed : .open
      entry.problem = nil
      entry.retry = nil
      attachOutputs(to: entry, device)
      start(entry, device.capabilities(settingsName: configuration.settings.name))
      outputsChanged()
      report("\(entry.name) is \(identity.name) (\(identity.node))")
      if let error = device.writeError, device.hasOutputs {
        let problem = DeviceProblem(readOnly: identity.node, error: error)
        entry.problem = problem.message
        report("\(entry.name): \(problem.message)")
      }
    } catch {
      failed(entry, DeviceProblem(node: identity.node, error: error))
    }
  }

  func failed(_ entry: DeviceEntry, _ problem: DeviceProblem) {
    let state: DeviceEntry.State =
      switch problem.state {
      case .denied: .denied
      case .busy: .busy
      case .absent: .absent
      }
    // Said once, not at every attempt.
    if entry.problem != problem.message { report("\(entry.name): \(problem.message)") }
    entry.problem = problem.message
    entry.state = state
    if entry.retry == nil {
      entry.retry = DeviceEntry.Retry(after: now)
    } else {
      entry.retry?.postpone(from: now)
    }
    note(entry.name)
  }

  func startVirtual(_ entry: DeviceEntry) {
    entry.state = .open
    start(entry, .virtual(settingsName: entry.configuration?.settings.name ?? entry.name))
  }

  private func start(_ entry: DeviceEntry, _ capabilities: DeviceCapabilities) {
    let id = nextNumber()
    entry.id = id
    entry.connects += 1
    applyPending()
    controls.advance(to: now, applying: .deviceAdded(id, capabilities))
    note(entry.name)
  }

  func stopReading(_ entry: DeviceEntry) {
    detachOutputs(of: entry)
    if let device = entry.device { loop.unwatch(device.rawDescriptor) }
    entry.device = nil
    entry.hasUnread = false
    entry.storm = StormGauge()
    guard let id = entry.id else { return }
    // What was read before it went still counts.
    applyPending()
    entry.id = nil
    controls.advance(to: now, applying: .deviceRemoved(id))
    note(entry.name)
  }

  /// Reads what the device has, but no more than its share of this wakeup.
  func read(_ entry: DeviceEntry, _ now: Instant) {
    guard entry.lastRead != now, let device = entry.device, let id = entry.id else { return }
    entry.lastRead = now
    do throws(Errno) {
      let count = try readFrames(of: device, entry, id, now)
      perform(entry.storm.note(frames: count.frames, events: count.events, at: now), for: entry)
      if !entry.hasUnread, device.isGrabDue { try grab(device, of: entry, id) }
    } catch {
      report("\(entry.name) is lost: \(error)")
      stopReading(entry)
      entry.state = .absent
      entry.retry = DeviceEntry.Retry(after: now)
    }
  }

  private func readFrames(
    of device: EvdevDevice, _ entry: DeviceEntry, _ id: DeviceNumber, _ now: Instant
  ) throws(Errno) -> (frames: Int64, events: Int64) {
    let most = share.frames(ofDevices: openCount)
    let former = device.readCount
    var frames: Int64 = 0
    entry.hasUnread = true
    while frames < most, device.readCount - former < most * ReadShare.eventsPerFrame {
      guard let reading = try device.nextFrame(now: now) else {
        entry.hasUnread = false
        break
      }
      frames += 1
      switch reading {
      case .frame(let frame):
        guard !frame.events.isEmpty else { continue }
        collect(.frame(id, frame.events), at: frame.time, from: entry, count: frame.events.count)
      case .resynchronized(let state):
        entry.overruns += 1
        reportOverrun(of: entry)
        collectState(state, from: entry, id)
      }
    }
    counters.frames += frames
    entry.frames += frames
    if entry.hasUnread { counters.budgetOverruns += 1 }
    return (frames, device.readCount - former)
  }

  /// Tries again to grab a device whose keys are up by now.
  private func grab(_ device: EvdevDevice, of entry: DeviceEntry, _ id: DeviceNumber) throws(Errno) {
    switch try device.grab(now: now) {
    case .grabbed(let state):
      entry.state = .grabbed
      collectState(state, from: entry, id)
      note(entry.name)
    case .waitingForKeys(let state?): collectState(state, from: entry, id)
    case .waitingForKeys(nil): break
    }
  }

  private func collectState(_ state: Resynchronization, from entry: DeviceEntry, _ id: DeviceNumber) {
    let input = Input.resynchronized(id, state.events, keysDown: state.keysDown)
    collect(input, at: state.time, from: entry, count: state.events.count)
  }

  private func collect(_ input: Input, at stamp: Instant, from entry: DeviceEntry, count: Int) {
    entry.events += Int64(count)
    pending.append((stamp, input))
  }
}

extension EvdevDevice {
  /// What the engine must know of it.
  func capabilities(settingsName: String) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities(settingsName: settingsName, usages: usages)
    for usage in usages {
      guard let axis = absoluteAxis(usage) else { continue }
      capabilities.axisRanges[usage.code] = axis.travel
      capabilities.axisPositions[usage.code] = axis.value
    }
    return capabilities
  }
}

extension AbsoluteAxis {
  /// From end to end, also where a driver has them the wrong way round.
  var travel: ClosedRange<Int32> { min(minimum, maximum)...max(minimum, maximum) }
}
