import StepperConfiguration
import StepperCore
import StepperLinux
import SystemPackage

/// HID devices with haptics. Some of them are knobs that make detents by themselves.
extension Devices {
  /// Maximum time that a stopping daemon waits for haptics to carry out their orders.
  private static let timeoutAtStop = Duration.milliseconds(500)
  /// After this number of failed attempts, the node is no longer expected to appear.
  private static let mostHapticAttempts = 5

  /// Begins to open the haptics of a device, if it has any.
  func attachHaptics(to entry: DeviceEntry) {
    guard let node = entry.device?.node else { return entry.hapticRetry.clear() }
    entry.hapticRetry.begin()
    do throws(Errno) {
      guard let device = try HapticDevice(besides: node) else { return entry.hapticRetry.clear() }
      let haptic = if let former = resume(device) { former } else { try open(device) }
      entry.haptic = haptic
      hapticEntries.append(entry)
      if haptic.isOpen { use(haptic, of: entry) }
    } catch {
      failedHaptics(of: entry, error)
    }
  }

  private func open(_ device: HapticDevice) throws(Errno) -> HapticHID {
    let haptic = try HapticHID(device)
    try loop.watch(haptic.rawDescriptor, priority: .system) { [weak self, weak haptic] _, _ in
      if let self, let haptic { takeResult(of: haptic) }
    }
    return haptic
  }

  /// Returns the detached haptics of `device` if they are still carrying out orders. New orders follow those.
  private func resume(_ device: HapticDevice) -> HapticHID? {
    let place = leaving.firstIndex { $0.device == device }
    return place.map { leaving.remove(at: $0) }
  }

  private func takeResult(of haptic: HapticHID) {
    let event = haptic.takeResult()
    guard let entry = hapticEntries.first(where: { $0.haptic === haptic }) else {
      if !haptic.isBusy { forget(haptic) }
      return
    }
    switch event {
    case .opened: use(haptic, of: entry)
    case .notOpened(let error):
      detachHaptics(of: entry)
      failedHaptics(of: entry, error)
    case .pulseFailed(let error):
      entry.outputs?.failHaptics(error)
      reportProblems(of: entry)
    case .detentsFailed(let error):
      report("\(entry.name): its haptics make no detents: \(error)")
      noteEntries()
    case nil: break
    }
  }

  private func use(_ haptic: HapticHID, of entry: DeviceEntry) {
    if entry.hapticRetry.failures > 0 { report("\(entry.name): its haptics are used now") }
    entry.hapticRetry.clear()
    entry.outputs?.add(haptic)
    noteFollowing()
    note(entry.name)
  }

  private func failedHaptics(of entry: DeviceEntry, _ error: Errno) {
    // Reported once, not at every attempt.
    if entry.hapticRetry.failures == 0 { report("\(entry.name): its haptics are not used: \(error)") }
    entry.hapticRetry.failed(at: now)
    if entry.hapticRetry.failures == Self.mostHapticAttempts { entry.hapticRetry.clear() }
    noteEntries()
    noteTime(of: entry)
  }

  /// Detaches the haptics of a device. A knob gets back the detents that it had at first.
  func detachHaptics(of entry: DeviceEntry) {
    guard let haptic = entry.haptic else { return }
    entry.haptic = nil
    hapticEntries.removeAll { $0 === entry }
    haptic.order(nil)
    if haptic.isBusy { leaving.append(haptic) } else { forget(haptic) }
  }

  private func forget(_ haptic: HapticHID) {
    loop.unwatch(haptic.rawDescriptor)
    leaving.removeAll { $0 === haptic }
  }

  /// Waits until detached haptics have carried out their orders, because the daemon stops.
  func finishHaptics() {
    let deadline = Instant.now + Self.timeoutAtStop
    for haptic in leaving { haptic.finish(until: deadline) }
  }

  // MARK: Detents

  func orderDetents() {
    for entry in hapticEntries { entry.haptic?.order(detents(of: entry)) }
  }

  /// The detents that a knob should make; nil: those that it had at first. Detents are felt while the control that the
  /// knob drives can be stepped in both directions. At an end of its range they are not felt.
  private func detents(of entry: DeviceEntry) -> DetentReports.Setting? {
    guard let count = entry.configuration?.detentsPerTurn, let id = entry.id, entry.isDial else { return nil }
    let isFelt = world.engine.detents(of: .dial, of: id).map { !$0.isAtEnd } ?? false
    return DetentReports.Setting(countsPerTurn: Int(count), isFelt: isFelt)
  }

  /// Why the devices of a table make no detents, or fewer than the table asks for; nil: they make them, or the table asks for none.
  func misfit(ofDetents own: [DeviceEntry]) -> String? {
    let open = own.filter { entry in
      entry.device != nil && entry.hapticRetry.at == nil && entry.haptic?.isOpen ?? true
    }
    guard let count = open.first?.configuration?.detentsPerTurn else { return nil }
    let haptics = open.filter(\.isDial).compactMap(\.haptic)
    if let failure = haptics.lazy.compactMap(\.detentFailure).first {
      return "its haptics make no detents: \(failure); connect it again"
    }
    guard let most = haptics.compactMap(\.mostDetents).max() else {
      return "detents-per-turn has no effect: its haptics cannot make detents by themselves"
    }
    return count > most ? "it makes at most \(most) detents in a turn" : nil
  }
}

extension DeviceEntry {
  /// Whether this is a knob whose haptics may make detents.
  fileprivate var isDial: Bool { device?.usages.contains(.dial) ?? false }
}
