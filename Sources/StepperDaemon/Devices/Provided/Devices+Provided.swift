import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText

/// Devices that programs attach, and the reports of these and of virtual devices.
extension Devices {
  /// Maximum number of attached devices, of one user and of all users.
  static var mostAttachedOfUser: Int { 64 }
  static var mostAttached: Int { 256 }

  /// The attached device with this handle; nil: there is none.
  func attached(_ handle: String) -> DeviceEntry? { attachments[handle]?.entry }

  /// The attached device that is probably the same hardware as `identity`; nil: there is none.
  func attached(like identity: DeviceIdentity) -> DeviceEntry? {
    attachments.values.first { $0.device.identity?.isSameHardware(as: identity) ?? false }?.entry
  }

  /// The limit that keeps a user from attaching another device; nil: no limit does.
  func attachLimit(of user: UInt32) -> Int? {
    if attachments.count >= Self.mostAttached { return Self.mostAttached }
    let own = attachments.values.count { $0.device.owner?.peer.userID == user }
    return own >= Self.mostAttachedOfUser ? Self.mostAttachedOfUser : nil
  }

  // MARK: Attaching

  /// Attaches a device to the first table that matches it; without a matching table the device is unused.
  func attach(_ device: ProvidedDevice) -> DeviceEntry {
    let entry = place(device)
    if let owner = device.owner, let identity = device.identity {
      let what = "\(identity.name) of \(identity.provider ?? "")"
      report(
        "\(entry.name) is \(what) (process \(owner.peer.processID), user \(owner.peer.userID))"
          + (entry.configuration == nil ? "; no table of the configuration matches it" : ""))
    }
    return entry
  }

  func detach(_ entry: DeviceEntry) {
    guard let device = entry.provided, let owner = device.owner else { return }
    attachments[owner.handle] = nil
    orders.noteEnd(of: owner.handle)
    remove(device, from: entry)
  }

  /// Detaches the devices of a closed connection.
  func detach(all session: Int64) {
    guard !attachments.isEmpty else { return }
    for (device, entry) in attachments.values where device.owner?.session == session {
      let holds = device.keysDown.isEmpty ? "" : "; what it held is released"
      report("\(entry.name) is detached: the connection of its program has ended\(holds)")
      detach(entry)
    }
  }

  /// Gives each attached device the first table of the configuration that matches it. Detaches the devices of users who
  /// may not attach devices any more.
  func placeAttached() {
    noteFollowing()
    for (handle, (device, former)) in attachments.sorted(by: { $0.key < $1.key }) {
      guard let owner = device.owner, let identity = device.identity else { continue }
      guard world.authorization.mayProvide(owner.peer) else {
        report("\(former.name) is detached: user \(owner.peer.userID) may not attach devices any more")
        detach(former)
        continue
      }
      let isPlaced =
        former.provided === device && entries.contains { $0 === former }
        && former.isRead == (former.configuration != nil)
      if isPlaced, former.table == table(for: identity)?.settings.name { continue }
      remove(device, from: former)
      _ = place(device)
      orders.note(.matched, of: handle)
    }
  }

  /// The first table that matches a device of a program.
  private func table(for identity: DeviceIdentity) -> DeviceConfiguration? {
    world.configuration.devices.first { $0.matches(identity) }
  }

  private func place(_ device: ProvidedDevice) -> DeviceEntry {
    guard let identity = device.identity, let owner = device.owner else { preconditionFailure() }
    let matching = table(for: identity)
    let entry = matching.map { absentEntry(of: $0, for: identity) } ?? unusedEntry(of: identity)
    entry.identity = identity
    entry.provided = device
    attachments[owner.handle] = (device, entry)
    hasProviders = true
    if let matching {
      entry.state = .open
      entry.problem = nil
      device.forgetFollowing()
      entry.outputs = DeviceOutputs(of: nil, provided: device.outputs)
      entry.outputs?.gain = matching.strength
      start(entry, device.capabilities(settingsName: matching.settings.name))
      noteOutputs()
      if device.followsControls { followers.insert(owner.handle) }
      noteFollowing()
    }
    note(entry.name)
    return entry
  }

  /// Adds an entry for a device that no table matches. No other entry has its name.
  private func unusedEntry(of identity: DeviceIdentity) -> DeviceEntry {
    let name = freeName { "\(identity.provider ?? "")-\($0)" }
    let entry = add(DeviceEntry(name: name, configuration: nil, identity: identity))
    entry.state = .unused
    return entry
  }

  private func remove(_ device: ProvidedDevice, from entry: DeviceEntry) {
    guard entry.provided === device else { return }
    if let owner = device.owner { followers.remove(owner.handle) }
    stopReading(entry)
    entry.provided = nil
    entry.problem = nil
    forget(entry)
  }

  // MARK: Reports

  /// Processes the report in ``received``, which is a report of this device.
  func noteReceived(from entry: DeviceEntry) {
    guard let device = entry.provided else { return }
    var frames = Int64(received.frames.count)
    var count = received.frames.reduce(0) { $0 + Int64($1.events.count) + 1 }
    if let lost = received.lost {
      var events = EvdevEvents()
      if device.hasReported {
        entry.overruns += 1
        reportOverrun(of: entry)
        events = device.resynchronize(keysDown: lost.keysDown, positions: lost.positions)
        if !entry.storm.isPaused { resynchronize(entry, events, keysDown: device.keysDown) }
      } else {
        device.begin(keysDown: lost.keysDown, positions: lost.positions)
        // The engine gets the device anew, now with its keys and the positions of its axes.
        if let id = entry.id, let configuration = entry.configuration {
          let capabilities = device.capabilities(settingsName: configuration.settings.name)
          // No frame of this report precedes it.
          queue.append(.deviceAdded(id, capabilities), at: device.time(nil, notAfter: now))
        }
      }
      let lights = litLights(of: device)
      if let owner = device.owner {
        // Outputs that follow controls are noted when they may move.
        for light in lights { orders.note(DeviceOrders.Level.light(light), of: owner.handle) }
      }
      frames += 1
      count += Int64(events.count + lights.count) + 1
    }
    for frame in received.frames { note(frame.events, stamp: frame.stamp, of: entry) }
    device.reported(at: now)
    if device.followsControls { noteFollowing() }
    if count > 0, device.owner != nil {
      perform(entry.storm.note(frames: frames, events: count, at: now), for: entry)
    }
    noteTime(of: entry)
  }

  /// Queues a frame of a virtual device with `event`, with the present time.
  func inject(_ event: EvdevEvent, into entry: DeviceEntry) {
    if entry.isRead { note(EvdevEvents(event), stamp: nil, of: entry) }
  }

  private func note(_ events: EvdevEvents, stamp: Instant?, of entry: DeviceEntry) {
    guard let device = entry.provided else { return }
    let time = device.time(stamp, notAfter: now)
    let passed = device.pass(events, at: time)
    guard !passed.isEmpty else { return }
    entry.events += Int64(passed.count)
    entry.frames += 1
    if !entry.storm.isPaused { queueFrame(passed, of: entry, at: time) }
  }

  func endLoss(of entry: DeviceEntry) {
    guard let device = entry.provided else { return }
    let events = device.endLoss()
    entry.overruns += 1
    resynchronize(entry, events, keysDown: device.keysDown)
  }

  /// Queues the state of a device after a loss; `time` is nil for now.
  private func resynchronize(
    _ entry: DeviceEntry, _ events: EvdevEvents, keysDown: Set<EvdevUsage>, at time: Instant? = nil
  ) {
    let time = time ?? entry.provided?.time(nil, notAfter: now) ?? now
    resynchronize(entry, Resynchronization(time: time, events: events, keysDown: keysDown))
  }

  /// Releases the keys of a device whose program has not reported in time. See ``Interruptions/end(of:at:)``.
  func endLease(of entry: DeviceEntry) {
    guard let device = entry.provided, let lease = device.leaseEnd, lease <= now else { return }
    let end = Interruptions.end(of: lease, at: now)
    guard end <= now else { return device.prolongLease(until: end) }
    let released = EvdevEvents(device.keysDown.sorted().map { EvdevEvent($0, 0) })
    device.releaseKeys()
    report("\(entry.name): its program has not reported in time while a key was down; its keys are released")
    resynchronize(entry, released, keysDown: [], at: end)
  }
}

extension DeviceConfiguration {
  /// Whether the table is for this device.
  func matches(_ identity: DeviceIdentity) -> Bool {
    guard case .matching(let matches) = source else { return false }
    return matches.contains { $0.matches(identity) }
  }
}
