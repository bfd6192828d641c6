import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import SystemPackage

/// Opening devices, reading them, and detecting their removal.
extension Devices {
  func open(_ entry: DeviceEntry) {
    guard let identity = entry.identity, let configuration = entry.configuration else { return }
    entry.retry.begin()
    do throws(Errno) {
      let device = try EvdevDevice(node: identity.node)
      // Events before the grab were also received by other programs and are discarded; the first frame contains the
      // keys that are held.
      if configuration.grabs { _ = try device.grab(now: now) }
      try watch(device, of: entry)
      entry.device = device
      entry.hasUnread = false
      entry.state = device.isGrabbed ? .grabbed : .open
      entry.problem = nil
      entry.retry.succeed(at: now)
      attachOutputs(to: entry, device)
      start(entry, device.capabilities(settingsName: configuration.settings.name))
      noteOutputs()
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

  /// Reads the device whenever it has events.
  func watch(_ device: EvdevDevice, of entry: DeviceEntry) throws(Errno) {
    try loop.watch(device.rawDescriptor, priority: .device) { [weak self, weak entry] readiness, _ in
      guard let self, let entry else { return }
      // The descriptor of a removed device stays readable, so the device is read even in a pause.
      if readiness.isBroken || !entry.storm.isPaused { read(entry) }
    }
  }

  func failed(_ entry: DeviceEntry, _ problem: DeviceProblem) {
    // Reported once, not at every attempt.
    if entry.problem != problem.message { report("\(entry.name): \(problem.message)") }
    entry.problem = problem.message
    entry.state =
      switch problem.state {
      case .denied: .denied
      case .busy: .busy
      case .absent: .absent
      }
    entry.retry.failed(at: now)
    note(entry.name)
    noteTime(of: entry)
  }

  func startVirtual(_ entry: DeviceEntry) {
    let device = ProvidedDevice.virtual()
    entry.provided = device
    entry.state = .open
    start(entry, device.capabilities(settingsName: entry.configuration?.settings.name ?? entry.name))
  }

  func start(_ entry: DeviceEntry, _ capabilities: DeviceCapabilities) {
    let id = nextNumber()
    entry.id = id
    entry.connects += 1
    queue.append(.deviceAdded(id, capabilities), at: now)
    note(entry.name)
  }

  func stopReading(_ entry: DeviceEntry) {
    detachOutputs(of: entry)
    if let device = entry.device { loop.unwatch(device.rawDescriptor) }
    entry.device = nil
    entry.hasUnread = false
    entry.storm = StormGauge()
    buttons.removeHolds(of: entry.name)
    guard let id = entry.id else { return }
    (entry.id, entry.formerID) = (nil, id)
    queue.append(.deviceRemoved(id), at: now)
    note(entry.name)
  }

  /// Reads the device within its share of the wakeup, at most once in each wakeup.
  func read(_ entry: DeviceEntry) {
    guard entry.lastRead != now, let device = entry.device else { return }
    entry.lastRead = now
    let most = account.frames(ofDevices: index.openCount)
    let (events, overruns) = (device.readCount, entry.overruns)
    var frames: Int64 = 0
    do throws(Errno) {
      while frames < most, device.readCount - events < most * ReadAccount.eventsPerFrame,
        let reading = try device.nextFrame(now: now)
      {
        frames += 1
        note(reading, of: entry)
      }
      entry.frames += frames
      entry.hasUnread = device.hasUnread
      if entry.hasUnread { account.noteUnfinishedRead() }
      if entry.overruns > overruns { reportOverrun(of: entry) }
      perform(entry.storm.note(frames: frames, events: device.readCount - events, at: now), for: entry)
      noteTime(of: entry)
      if !entry.hasUnread, device.isGrabDue { try grab(device, of: entry) }
    } catch {
      guard entry.configuration != nil else { return failedWatching(entry, error) }
      report("\(entry.name) is lost: \(error)")
      stopReading(entry)
      guard error == .operationNotSupportedByDevice else {
        return failed(entry, DeviceProblem(node: entry.identity?.node ?? "", error: error))
      }
      // The device was unplugged. That is not a problem, and udev will report it.
      entry.state = .absent
      entry.retry.failed(at: now)
      noteTime(of: entry)
    }
  }

  /// Queues what was read from a device.
  private func note(_ reading: EvdevReading, of entry: DeviceEntry) {
    switch reading {
    case .frame(let frame):
      guard !frame.events.isEmpty else { return }
      entry.events += Int64(frame.events.count)
      queueFrame(frame.events, of: entry, at: frame.time)
    case .resynchronized(let state):
      entry.overruns += 1
      resynchronize(entry, state)
    }
  }

  /// Queues a frame. The frames of an unused device go only to the clients that watch it.
  func queueFrame(_ events: EvdevEvents, of entry: DeviceEntry, at time: Instant) {
    guard let id = entry.id else {
      return observed.append(ObservedFrame(device: entry.name, time: time, events: events))
    }
    queue.append(.frame(id, events), at: time)
  }

  /// Queues the state of a device after a resynchronization, as ``queueFrame(_:of:at:)`` does with a frame.
  func resynchronize(_ entry: DeviceEntry, _ state: Resynchronization) {
    guard let id = entry.id else { return observed.append(ObservedFrame(device: entry.name, state)) }
    entry.events += Int64(state.events.count)
    queue.append(.resynchronized(id, state.events, keysDown: state.keysDown), at: state.time)
  }

  /// Tries again to grab a device, which requires that all its keys are up.
  private func grab(_ device: EvdevDevice, of entry: DeviceEntry) throws(Errno) {
    switch try device.grab(now: now) {
    case .grabbed(let state):
      entry.state = .grabbed
      resynchronize(entry, state)
      note(entry.name)
    case .waitingForKeys(let state?): resynchronize(entry, state)
    case .waitingForKeys(nil): break
    }
  }
}

extension EvdevDevice {
  /// The properties of the device for the engine.
  func capabilities(settingsName: String) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities(settingsName: settingsName, usages: usages)
    capabilities.keysDown = keysDown
    for usage in usages {
      guard let axis = absoluteAxis(usage) else { continue }
      capabilities.axisRanges[usage.code] = axis.travel
      capabilities.axisPositions[usage.code] = axis.value
    }
    return capabilities
  }
}

extension AbsoluteAxisInfo {
  /// The range of the axis from the smaller end to the larger, because some drivers report the ends in reverse.
  var travel: ClosedRange<Int32> { min(minimum, maximum)...max(minimum, maximum) }
}
