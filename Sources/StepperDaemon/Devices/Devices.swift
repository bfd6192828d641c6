import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText

/// All input devices of the machine and all virtual devices: which are used, which are read, and the problems of
/// those that are not.
///
/// Inputs for the engine are collected in ``queue``, and changes of devices until ``takeChanges()``.
final class Devices {
  let loop: EventLoop
  /// For reading only: the settings of controls that concern devices.
  let world: World
  private let journal: Journal
  private(set) var entries: [DeviceEntry] = [] { didSet { noteEntries() } }
  private var cachedIndex: DeviceIndex?
  private var cachedMisfits: [String: String]?
  /// The misfits that were logged.
  private var reportedMisfits: [String: String] = [:]
  /// Devices with a deadline, and some that had one in the last wakeup.
  var timed: [DeviceEntry] = []
  /// The number of changes of devices since the start.
  private(set) var revision = 0
  /// Inputs for the engine.
  var queue = InputQueue()
  /// Frames of unused devices that a client watches.
  var observed: [ObservedFrame] = []
  var account = ReadAccount()
  var buttons = VirtualButtons()
  /// Attached devices by their handles, each with its entry in ``entries``.
  var attachments: [String: (device: ProvidedDevice, entry: DeviceEntry)] = [:]
  /// Whether any device was attached since the start. Otherwise a wakeup has no work for attached devices.
  var hasProviders = false
  /// The last report of an attached device. Every report is read into the same memory.
  var received = Report()
  var orders = DeviceOrders()
  /// The handles of the attached devices that a table matches and whose outputs follow controls.
  var followers: Set<String> = []
  /// Devices with haptics.
  var hapticEntries: [DeviceEntry] = []
  /// Detached haptics that are still carrying out orders.
  var leaving: [HapticHID] = []
  /// Whether controls that outputs follow may have changed. The wakeup then calls ``followControls()``.
  var hasFollowing = false
  private var changes = Changes()
  private var lastNumber = 0

  /// Changes since the last ``takeChanges()``.
  struct Changes {
    /// Devices that were added, removed, or have a different state.
    var names: Set<String> = []
    /// Whether outputs were added or removed.
    var hasOtherOutputs = false
  }

  init(_ world: World, loop: EventLoop, journal: Journal) {
    self.world = world
    self.loop = loop
    self.journal = journal
  }

  /// The time of the wakeup: the time stamp of injected events.
  var now: Instant { loop.now }

  func report(_ message: String) { journal.info(.device, message) }

  /// The entries by name and number, and their counts.
  var index: DeviceIndex {
    if let cachedIndex { return cachedIndex }
    let index = DeviceIndex(entries)
    cachedIndex = index
    return index
  }

  /// How the configuration does not fit the connected devices, by the name of the entry.
  var misfits: [String: String] {
    if let cachedMisfits { return cachedMisfits }
    let misfits = findMisfits()
    cachedMisfits = misfits
    return misfits
  }

  /// Logs misfits that are new.
  func reportMisfits() {
    let misfits = misfits
    for entry in entries {
      guard let misfit = misfits[entry.name], reportedMisfits[entry.name] != misfit else { continue }
      journal.warning(.device, "\(entry.name): \(misfit)")
    }
    reportedMisfits = misfits
  }

  /// Discards what was derived from the entries: a device, its outputs, or the controls that it drives have changed.
  func noteEntries() {
    cachedIndex = nil
    cachedMisfits = nil
    revision += 1
  }

  // MARK: The configuration

  private var configurations: [DeviceConfiguration] { world.configuration.devices }

  /// Applies the device tables of the configuration in force. `present` are all connected devices; nil if they are
  /// unknown: the former ones then remain.
  func configure(present: [DeviceIdentity]?) {
    let present = present ?? entries.compactMap(\.nodeIdentity)
    let names = Set(configurations.map(\.settings.name))
    for entry in entries {
      guard let settings = entry.configuration?.settings else { continue }
      if !names.contains(settings.name) { remove(entry) }
    }
    // An unused device gets another name if a table has its name now.
    for entry in entries where entry.configuration == nil && names.contains(entry.name) { remove(entry) }
    for configuration in configurations { configure(configuration) }
    // Removed devices come first, so that a device that replaces one gets its entry and its name.
    let nodes = Set(present.map(\.node))
    for node in entries.compactMap(\.nodeIdentity?.node) where !nodes.contains(node) { unplugged(node) }
    for identity in present { plugged(identity) }
    placeAttached()
    noteEntries()
    timed.removeAll { !$0.isTimed }
  }

  private func configure(_ configuration: DeviceConfiguration) {
    let name = configuration.settings.name
    let former = entries.filter { $0.table == name }
    for entry in former {
      if entry.configuration?.source != configuration.source
        || entry.configuration?.grabs != configuration.grabs
      {
        stopReading(entry)
        (entry.identity, entry.provided) = (nil, nil)
        entry.state = .absent
      }
      entry.configuration = configuration
      configureOutputs(of: entry)
    }
    let entry = former.first ?? add(DeviceEntry(name: name, configuration: configuration))
    if entry.isVirtual, !entry.isRead { startVirtual(entry) }
    if entry.className != nil, entry.outputs == nil { openClassDevice(entry) }
  }

  func remove(_ entry: DeviceEntry) {
    stopReading(entry)
    entries.removeAll { $0 === entry }
    entry.isTimed = false
    note(entry.name)
  }

  func add(_ entry: DeviceEntry) -> DeviceEntry {
    entries.append(entry)
    return entry
  }

  // MARK: Adding and removing

  /// A device was added or has changed; both may be reported several times.
  func plugged(_ identity: DeviceIdentity) {
    let matching = configurations.first { $0.matches(identity) }
    if let entry = entries.first(where: { $0.identity?.node == identity.node }) {
      if entry.configuration == matching {
        entry.identity = identity
        // A change may be a permission that has been granted.
        guard matching != nil else { return watchAgain(entry) }
        guard entry.device?.mayBeReopened ?? !entry.isRead else { return }
        stopReading(entry)
        open(entry)
        return
      }
      unplugged(identity.node)
    }
    guard let matching else {
      let node = String(identity.node.split(separator: "/").last ?? "")
      let entry = add(
        DeviceEntry(name: freeName(numbering: node), configuration: nil, identity: identity))
      entry.state = .unused
      note(entry.name)
      return
    }
    let entry = absentEntry(of: matching, for: identity)
    entry.identity = identity
    open(entry)
  }

  /// Handles the removal of a device.
  func unplugged(_ node: String) {
    guard let entry = entries.first(where: { $0.identity?.node == node }) else { return }
    stopReading(entry)
    entry.retry.clear()
    entry.problem = nil
    forget(entry)
  }

  /// Notes that the hardware of an entry is gone. The entry remains if it belongs to a table. Programs may attach any
  /// number of devices, so that of their entries for a table only the first one remains.
  func forget(_ entry: DeviceEntry) {
    let isFurther = entry.identity?.provider != nil && entry.name != entry.table
    if entry.configuration == nil || isFurther {
      entries.removeAll { $0 === entry }
    } else {
      entry.lastIdentity = entry.identity
      entry.identity = nil
      entry.state = .absent
    }
    note(entry.name)
  }

  /// The entry for newly connected hardware: its former entry, a free one, or a new one.
  func absentEntry(of configuration: DeviceConfiguration, for identity: DeviceIdentity) -> DeviceEntry {
    let own = entries.filter { $0.configuration == configuration }
    let free = own.filter { $0.identity == nil }
    if let same = free.first(where: { $0.lastIdentity.map(identity.isSameHardware) ?? false }) ?? free.first {
      return same
    }
    return add(
      DeviceEntry(name: freeName(numbering: configuration.settings.name), configuration: configuration))
  }

  /// `name` if no entry has it; otherwise `name` with the first free number.
  private func freeName(numbering name: String) -> String {
    freeName { $0 == 1 ? name : "\(name):\($0)" }
  }

  /// The first of `name(1)`, `name(2)` … that no entry has.
  func freeName(_ name: (_ number: Int) -> String) -> String {
    let names = Set(entries.map(\.name))
    var number = 1
    while names.contains(name(number)) { number += 1 }
    return name(number)
  }

  // MARK: Changes

  /// Records a change of a device.
  func note(_ name: String) {
    noteEntries()
    changes.names.insert(name)
  }

  /// Records a change of the outputs.
  func noteOutputs() {
    noteEntries()
    changes.hasOtherOutputs = true
  }

  /// Names of devices that have changed since the last ``takeChanges()``.
  var changedNames: Set<String> { changes.names }

  func takeChanges() -> Changes {
    defer { changes = Changes() }
    return changes
  }

  /// A number that no other device has had.
  func nextNumber() -> DeviceNumber {
    lastNumber += 1
    return DeviceNumber(lastNumber)
  }
}

extension DeviceIdentity {
  /// Whether this is probably the same hardware as before it was disconnected.
  func isSameHardware(as former: DeviceIdentity) -> Bool {
    provider == former.provider && name == former.name && physicalPath == former.physicalPath
      && uniqueName == former.uniqueName
  }
}
