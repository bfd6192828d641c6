import StepperConfiguration
import StepperCore
import StepperDevices
import StepperInput
import StepperSystem
import SystemPackage

/// Every input device of the machine and every virtual one: which are used, which are read, and why not.
///
/// What is read is collected, and given to the engine in the order of its time stamps, whichever device was
/// served first.
final class Devices {
  let loop: EventLoop
  let controls: Controls
  let report: (_ message: String) -> Void
  /// Told when there are other outputs than before.
  var outputsChanged: () -> Void = {}
  private(set) var entries: [DeviceEntry] = []
  private var configurations: [DeviceConfiguration] = []
  /// What was read and not yet applied.
  var pending: [(stamp: Instant, input: Input)] = []
  var share = ReadShare(time: WakeupTime.reading)
  var counters = DeviceCounters()
  private var lastNumber = 0
  private var feeds: [ObjectIdentifier: DeviceFeed] = [:]
  var holds = VirtualHolds()
  /// Buttons that release themselves, and when.
  var clicks: [VirtualHolds.Button: Instant] = [:]
  /// When the loop woke up last: the time of what programs inject.
  var now: Instant

  init(loop: EventLoop, controls: Controls, at now: Instant, report: @escaping (_ message: String) -> Void) {
    self.loop = loop
    self.controls = controls
    self.now = now
    self.report = report
  }

  // MARK: The configuration

  /// Takes over the device tables; `present` is every real device that is plugged in, nil if that is not known: then
  /// those that were there stay.
  func configure(_ configurations: [DeviceConfiguration], present: [DeviceIdentity]?) {
    let present = present ?? entries.compactMap(\.identity)
    self.configurations = configurations
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
    holds.forget(device: entry.name)
    clicks = clicks.filter { $0.key.device != entry.name }
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

  // MARK: Followers

  var feedCount: Int { feeds.count }
  func add(_ feed: DeviceFeed) { feeds[ObjectIdentifier(feed)] = feed }
  func remove(_ feed: DeviceFeed) { feeds[ObjectIdentifier(feed)] = nil }

  func note(_ name: String) {
    for feed in feeds.values { feed.note(name) }
  }

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
