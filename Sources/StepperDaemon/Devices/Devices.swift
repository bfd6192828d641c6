import StepperConfiguration
import StepperCore
import StepperDevices
import StepperInput
import StepperSystem
import SystemPackage

/// Every input device of the machine and every virtual one: which are used, which are read, and why not.
///
/// What is read and what happens to devices is queued until ``takeInputs()``; which devices are others than before, until
/// ``takeChanges()``.
final class Devices {
  let loop: EventLoop
  /// Only read: what controls want of devices.
  unowned let world: World
  private let journal: Journal
  private(set) var entries: [DeviceEntry] = []
  var queue = InputQueue()
  var reader = FrameCollector()
  var buttons = VirtualButtons()
  var storms = StormCounters()
  private var changes = Changes()
  private var lastNumber = 0

  /// What is not as it was.
  struct Changes {
    /// Devices whose state is another one, or that came or went.
    var names: Set<String> = []
    /// Whether there are other outputs.
    var hasOtherOutputs = false
  }

  init(_ world: World, loop: EventLoop, journal: Journal) {
    self.world = world
    self.loop = loop
    self.journal = journal
  }

  /// When the loop woke up: the time of what programs inject.
  var now: Instant { loop.now }

  func report(_ message: String) { journal.info(.device, message) }

  // MARK: The configuration

  private var configurations: [DeviceConfiguration] { world.configuration.devices }

  /// Takes over the device tables of the configuration in force; `present` is every real device that is plugged in, nil if
  /// that is not known: then those that were there stay.
  func configure(present: [DeviceIdentity]?) {
    let present = present ?? entries.compactMap(\.identity)
    let names = Set(configurations.map(\.settings.name))
    for entry in entries {
      guard let settings = entry.configuration?.settings else { continue }
      if !names.contains(settings.name) { forget(entry) }
    }
    entries.removeAll { entry in entry.configuration == nil }
    for configuration in configurations { configure(configuration) }
    // First what is gone: what came in its place has its entry, and its name, again.
    let nodes = Set(present.map(\.node))
    for node in entries.compactMap(\.identity?.node) where !nodes.contains(node) { unplugged(node) }
    for identity in present { plugged(identity) }
  }

  private func configure(_ configuration: DeviceConfiguration) {
    let name = configuration.settings.name
    let former = entries.filter { $0.configuration?.settings.name == name }
    for entry in former {
      if entry.configuration?.source != configuration.source
        || entry.configuration?.grabs != configuration.grabs
      {
        stopReading(entry)
        entry.identity = nil
        entry.state = .absent
      }
      entry.configuration = configuration
      configureOutputs(of: entry)
    }
    let entry = former.first ?? add(DeviceEntry(name: name, configuration: configuration))
    if entry.isVirtual, !entry.isRead { startVirtual(entry) }
    if entry.className != nil, entry.outputs == nil { openClassDevice(entry) }
  }

  private func forget(_ entry: DeviceEntry) {
    stopReading(entry)
    buttons.forget(device: entry.name)
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
      if case .matching(let matches) = configuration.source {
        matches.contains { $0.matches(identity) }
      } else {
        false
      }
    }
    if let entry = entries.first(where: { $0.identity?.node == identity.node }) {
      if entry.configuration == matching {
        entry.identity = identity
        // A change may be the permission that was missing.
        guard matching != nil, entry.device?.mayBeReopened ?? !entry.isRead else { return }
        stopReading(entry)
        open(entry)
        return
      }
      unplugged(identity.node)
    }
    guard let matching else {
      let entry = add(
        DeviceEntry(
          name: String(identity.node.split(separator: "/").last ?? ""), configuration: nil, identity: identity
        ))
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
  private func absentEntry(of configuration: DeviceConfiguration, for identity: DeviceIdentity) -> DeviceEntry
  {
    let own = entries.filter { $0.configuration == configuration }
    let free = own.filter { $0.identity == nil }
    if let same = free.first(where: { $0.lastIdentity.map(identity.isSameHardware) ?? false }) ?? free.first {
      return same
    }
    let name = configuration.settings.name
    return add(
      DeviceEntry(name: own.isEmpty ? name : "\(name):\(own.count + 1)", configuration: configuration))
  }

  // MARK: How they are

  /// How many are read, virtual ones included.
  var readCount: Int { entries.count(where: \.isRead) }

  /// What keeps devices from being used, each with its name.
  var problems: [String] {
    entries.compactMap { entry in entry.currentProblem.map { "\(entry.name): \($0)" } }
  }

  // MARK: What happened

  /// Something about the device is not as it was.
  func note(_ name: String) { changes.names.insert(name) }

  /// There are other outputs than before.
  func noteOutputs() { changes.hasOtherOutputs = true }

  func takeChanges() -> Changes {
    defer { changes = Changes() }
    return changes
  }

  /// Inputs for the engine, in the order of their time stamps, whichever device was read first.
  func takeInputs() -> [(time: Instant, input: Input)] { queue.takeAll(at: now) }

  /// A number that no device had before.
  func nextNumber() -> DeviceNumber {
    lastNumber += 1
    return DeviceNumber(lastNumber)
  }
}

extension DeviceIdentity {
  /// Whether this looks like the same piece of hardware as before it was unplugged.
  func isSameHardware(as former: DeviceIdentity) -> Bool {
    name == former.name && physicalPath == former.physicalPath && uniqueName == former.uniqueName
  }
}
