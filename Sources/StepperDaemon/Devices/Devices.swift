import StepperConfiguration
import StepperCore
import StepperInput
import StepperSystem
import SystemPackage

/// Every input device of the machine and every virtual one: which are used, which are read, and why not.
///
/// What is read is collected, and given to the engine in the order of its time stamps, whichever device was
/// served first.
final class Devices {
  private let loop: EventLoop
  private let controls: Controls
  private let report: (_ message: String) -> Void
  private(set) var entries: [DeviceEntry] = []
  private var configurations: [DeviceConfiguration] = []
  private var pending: [(stamp: Instant, input: Input, entry: DeviceEntry)] = []
  private var lastID = 0
  private var feeds: [ObjectIdentifier: DeviceFeed] = [:]
  private var holds = VirtualHolds()
  private var clicks: [(due: Instant, number: Int, button: VirtualInput, entry: DeviceEntry)] = []
  private var lastClick = 0
  /// When the loop woke up last: the time of what programs inject.
  private(set) var now: Instant

  init(loop: EventLoop, controls: Controls, at now: Instant, report: @escaping (_ message: String) -> Void) {
    self.loop = loop
    self.controls = controls
    self.now = now
    self.report = report
  }

  // MARK: The configuration

  /// Takes over the device tables; `present` is every real device that is plugged in.
  func configure(_ configurations: [DeviceConfiguration], present: [DeviceIdentity]) {
    self.configurations = configurations
    let names = Set(configurations.map(\.settings.name))
    for entry in entries {
      guard let settings = entry.configuration?.settings else { continue }
      if !names.contains(settings.name) { forget(entry) }
    }
    entries.removeAll { entry in entry.configuration == nil }
    for configuration in configurations { configure(configuration) }
    for identity in present { plugged(identity) }
    for entry in entries where entry.identity.map({ identity in !present.contains { $0.node == identity.node } }) ?? false {
      if let node = entry.identity?.node { unplugged(node) }
    }
  }

  private func configure(_ configuration: DeviceConfiguration) {
    let name = configuration.settings.name
    let former = entries.filter { $0.configuration?.settings.name == name }
    for entry in former {
      if entry.configuration?.source != configuration.source || entry.configuration?.grabs != configuration.grabs {
        stopReading(entry)
        entry.identity = nil
        entry.state = .absent
      }
      entry.configuration = configuration
    }
    let entry = former.first ?? add(DeviceEntry(name: name, configuration: configuration))
    if entry.isVirtual, !entry.isRead { startVirtual(entry) }
  }

  private func forget(_ entry: DeviceEntry) {
    stopReading(entry)
    holds.forget(device: entry.name)
    clicks.removeAll { $0.entry === entry }
    entries.removeAll { $0 === entry }
    note(entry.name)
  }

  private func add(_ entry: DeviceEntry) -> DeviceEntry {
    entries.append(entry)
    return entry
  }

  // MARK: Coming and going

  /// A device is there, or something about it has changed; both may be said several times.
  func plugged(_ identity: DeviceIdentity) {
    let matching = configurations.first { configuration in
      if case .matching(let matches) = configuration.source { matches.contains { $0.matches(identity) } } else { false }
    }
    if let entry = entries.first(where: { $0.identity?.node == identity.node }) {
      if entry.configuration == matching {
        entry.identity = identity
        // A change may be the permission that was missing.
        if matching != nil, !entry.isRead { open(entry) }
        return
      }
      unplugged(identity.node)
    }
    guard let matching else {
      let entry = add(DeviceEntry(name: String(identity.node.split(separator: "/").last ?? ""), configuration: nil, identity: identity))
      entry.state = .unused
      note(entry.name)
      return
    }
    let entry = absentEntry(of: matching, for: identity)
    entry.identity = identity
    open(entry)
  }

  /// A device is gone.
  func unplugged(_ node: String) {
    guard let entry = entries.first(where: { $0.identity?.node == node }) else { return }
    stopReading(entry)
    entry.retry = nil
    entry.problem = nil
    if entry.configuration == nil {
      entries.removeAll { $0 === entry }
    } else {
      entry.lastIdentity = entry.identity
      entry.identity = nil
      entry.state = .absent
    }
    note(entry.name)
  }

  /// The entry that this hardware had before, or one that is free, or a new one.
  private func absentEntry(of configuration: DeviceConfiguration, for identity: DeviceIdentity) -> DeviceEntry {
    let own = entries.filter { $0.configuration == configuration }
    let free = own.filter { $0.identity == nil }
    if let same = free.first(where: { $0.lastIdentity.map(identity.isSameHardware) ?? false }) ?? free.first {
      return same
    }
    let name = configuration.settings.name
    return add(DeviceEntry(name: own.isEmpty ? name : "\(name):\(own.count + 1)", configuration: configuration))
  }

  // MARK: Opening and reading

  private func open(_ entry: DeviceEntry) {
    guard let identity = entry.identity, let configuration = entry.configuration else { return }
    do throws(Errno) {
      let device = try EvdevDevice(node: identity.node)
      // What was read before the grab is not for us alone; what is held then is told by the first frame.
      if configuration.grabs { _ = try device.grab(now: now) }
      try loop.watch(device.rawDescriptor, priority: .device) { [unowned self, unowned entry] _, now in
        read(entry, now)
      }
      entry.device = device
      entry.state = device.isGrabbed ? .grabbed : .open
      entry.problem = nil
      entry.retry = nil
      start(entry, device.capabilities(settingsName: configuration.settings.name))
      report("device: \(entry.name) is \(identity.name) (\(identity.node))")
    } catch {
      failed(entry, DeviceProblem(node: identity.node, error: error))
    }
  }

  private func failed(_ entry: DeviceEntry, _ problem: DeviceProblem) {
    let state: DeviceEntry.State =
      switch problem.state {
      case .denied: .denied
      case .busy: .busy
      case .absent: .absent
      }
    // Said once, not at every attempt.
    if entry.problem != problem.message { report("device: \(entry.name): \(problem.message)") }
    entry.problem = problem.message
    entry.state = state
    if entry.retry == nil { entry.retry = DeviceEntry.Retry(after: now) } else { entry.retry?.postpone(from: now) }
    note(entry.name)
  }

  private func startVirtual(_ entry: DeviceEntry) {
    entry.state = .open
    start(entry, .virtual(settingsName: entry.configuration?.settings.name ?? entry.name))
  }

  private func start(_ entry: DeviceEntry, _ capabilities: DeviceCapabilities) {
    lastID += 1
    let id = DeviceNumber(lastID)
    entry.id = id
    entry.connects += 1
    applyPending()
    controls.advance(to: now, applying: .deviceAdded(id, capabilities))
    note(entry.name)
  }

  private func stopReading(_ entry: DeviceEntry) {
    if let device = entry.device { loop.unwatch(device.rawDescriptor) }
    entry.device = nil
    guard let id = entry.id else { return }
    entry.id = nil
    applyPending()
    controls.advance(to: now, applying: .deviceRemoved(id))
    note(entry.name)
  }

  private func read(_ entry: DeviceEntry, _ now: Instant) {
    guard let device = entry.device, let id = entry.id else { return }
    do throws(Errno) {
      while let reading = try device.nextFrame(now: now) {
        switch reading {
        case .frame(let frame):
          collect(.frame(id, frame.events), at: frame.time, from: entry, count: frame.events.count)
        case .resynchronized(let state):
          entry.overruns += 1
          report("device: \(entry.name): the kernel dropped events; what it holds was read back")
          collectState(state, from: entry, id)
        }
      }
      if device.isGrabDue, case .grabbed(let state) = try device.grab(now: now) {
        entry.state = .grabbed
        collectState(state, from: entry, id)
        note(entry.name)
      }
    } catch {
      report("device: \(entry.name) is lost: \(error)")
      stopReading(entry)
      entry.state = .absent
      entry.retry = DeviceEntry.Retry(after: now)
    }
  }

  private func collectState(_ state: Resynchronization, from entry: DeviceEntry, _ id: DeviceNumber) {
    let input = Input.resynchronized(id, state.events, keysDown: state.keysDown)
    collect(input, at: state.time, from: entry, count: state.events.count)
  }

  private func collect(_ input: Input, at stamp: Instant, from entry: DeviceEntry, count: Int) {
    entry.events += Int64(count)
    pending.append((stamp, input, entry))
  }

  // MARK: Time

  /// The loop has woken up.
  func wake(at now: Instant) { self.now = now }

  /// When something is due by itself.
  var deadline: Instant? {
    (entries.compactMap { $0.retry?.at } + clicks.map(\.due)).min()
  }

  /// What is due happens: clicks end, closed devices are tried again.
  func fire(at now: Instant) {
    for click in clicks.filter({ $0.due <= now }).sorted(by: { $0.due < $1.due }) {
      clicks.removeAll { $0.number == click.number }
      release(click.button, of: click.entry, by: .click(click.number))
    }
    for entry in entries where entry.retry.map({ $0.at <= now }) ?? false {
      if entry.identity == nil { entry.retry = nil } else { open(entry) }
    }
  }

  /// Gives the engine what was read, in the order of the time stamps. A stamp ahead of the wakeup is taken
  /// as the wakeup's.
  func applyPending() {
    guard !pending.isEmpty else { return }
    let inputs = pending.sorted { $0.stamp < $1.stamp }
    pending = []
    for (stamp, input, entry) in inputs where entry.isRead {
      controls.advance(to: min(stamp, now), applying: input)
    }
  }

  // MARK: Virtual devices

  func entry(named name: String) -> DeviceEntry? { entries.first { $0.name == name } }

  func inject(_ events: [EvdevEvent], into entry: DeviceEntry) {
    guard let id = entry.id else { return }
    entry.events += Int64(events.count)
    applyPending()
    controls.advance(to: now, applying: .frame(id, events))
  }

  func press(_ input: VirtualInput, of entry: DeviceEntry, by holder: VirtualHolds.Holder) {
    if holds.press(.init(device: entry.name, input: input), by: holder) {
      inject([EvdevEvent(input.usage, 1)], into: entry)
    }
  }

  func release(_ input: VirtualInput, of entry: DeviceEntry, by holder: VirtualHolds.Holder) {
    if holds.release(.init(device: entry.name, input: input), by: holder) {
      inject([EvdevEvent(input.usage, 0)], into: entry)
    }
  }

  /// Presses now, and releases by itself.
  func click(_ input: VirtualInput, of entry: DeviceEntry, for duration: Duration) {
    lastClick += 1
    press(input, of: entry, by: .click(lastClick))
    clicks.append((now + duration, lastClick, input, entry))
  }

  /// A connection is closed: what it holds is let go.
  func release(all session: Int) {
    for button in holds.release(all: .session(session)) {
      guard let entry = entry(named: button.device) else { continue }
      inject([EvdevEvent(button.input.usage, 0)], into: entry)
    }
  }

  /// The names of the controls that an input drives.
  func controlsDriven(by usage: EvdevUsage, of entry: DeviceEntry) -> [String] {
    guard let name = entry.configuration?.settings.name else { return [] }
    return controls.configurations.map(\.settings).filter { settings in
      settings.bindings.contains { $0.input == InputReference(device: name, usage: usage) }
    }.map(\.name)
  }

  // MARK: Followers

  var feedCount: Int { feeds.count }
  func add(_ feed: DeviceFeed) { feeds[ObjectIdentifier(feed)] = feed }
  func remove(_ feed: DeviceFeed) { feeds[ObjectIdentifier(feed)] = nil }

  private func note(_ name: String) {
    for feed in feeds.values { feed.note(name) }
  }
}

extension DeviceIdentity {
  /// Whether this looks like the same piece of hardware as before it was unplugged.
  func isSameHardware(as former: DeviceIdentity) -> Bool {
    name == former.name && physicalPath == former.physicalPath && uniqueName == former.uniqueName
  }
}

extension EvdevDevice {
  /// What the engine must know of it.
  func capabilities(settingsName: String) -> DeviceCapabilities {
    let axes = usages.compactMap { usage in absoluteAxis(usage).map { (usage.code, $0.travel) } }
    return DeviceCapabilities(
      settingsName: settingsName, usages: usages, axisRanges: Dictionary(axes, uniquingKeysWith: { first, _ in first }))
  }
}

extension AbsoluteAxis {
  /// From end to end, also where a driver has them the wrong way round.
  var travel: ClosedRange<Int32> { min(minimum, maximum)...max(minimum, maximum) }
}
