import StepperConfiguration
import StepperCore
import StepperLinux
import SystemPackage

/// Knobs whose HID haptics make detents by themselves.
extension Devices {
  /// How long the daemon waits at its end until knobs have what they had at first.
  private static let timeoutAtStop = Duration.milliseconds(500)

  /// Has the haptics of a device make detents, if its table says so and they can.
  func attachDetents(to entry: DeviceEntry) {
    defer { noteFollowing() }
    guard entry.configuration?.detentsPerTurn != nil, entry.detents == nil,
      let haptic = entry.outputs?.haptic,
      entry.device?.usages.contains(.dial) ?? false
    else { return }
    do throws(Errno) {
      guard let detents = try haptic.makeDetents() else { return }
      try loop.watch(detents.rawDescriptor, priority: .system) { [weak self, weak entry] _, _ in
        if let self, let entry, let error = entry.detents?.takeResult() { noDetents(of: entry, error) }
      }
      entry.detents = detents
      dials.append(entry)
    } catch {
      noDetents(of: entry, error)
    }
  }

  private func noDetents(of entry: DeviceEntry, _ error: Errno) {
    report("\(entry.name): its haptics make no detents: \(error)")
    noteEntries()
  }

  func detachDetents(of entry: DeviceEntry) {
    guard let detents = entry.detents else { return }
    loop.unwatch(detents.rawDescriptor)
    detents.order(nil)
    entry.detents = nil
    dials.removeAll { $0 === entry }
  }

  /// Gives all knobs what they had at first: the daemon stops.
  func finishDetents() {
    let deadline = Instant.now + Self.timeoutAtStop
    for entry in dials { entry.detents?.order(nil) }
    for entry in dials { entry.detents?.finish(until: deadline) }
  }

  /// Detents are felt where a step of the control that the knob drives is possible in both directions; at an end its knob is silent.
  func orderDetents() {
    for entry in dials {
      guard let count = entry.configuration?.detentsPerTurn, let id = entry.id else {
        entry.detents?.order(nil)
        continue
      }
      let isFelt = world.engine.detents(of: .dial, of: id).map { !$0.isAtEnd } ?? false
      entry.detents?.order(DetentReports.Setting(countsPerTurn: Int(count), isFelt: isFelt))
    }
  }

  /// Why the devices of a table make no detents, or not as many as it says; nil: they do, or it says nothing of them.
  func misfit(ofDetents own: [DeviceEntry]) -> String? {
    let open = own.filter { $0.device != nil && $0.hapticRetry.at == nil }
    guard let count = open.first?.configuration?.detentsPerTurn else { return nil }
    let dials = open.compactMap(\.detents)
    if let failure = dials.lazy.compactMap(\.failure).first {
      return "its haptics make no detents: \(failure); connect it again"
    }
    guard let most = dials.map(\.mostDetents).max() else {
      return "detents-per-turn has no effect: its haptics cannot make detents by themselves"
    }
    return count > most ? "it makes at most \(most) detents in a turn" : nil
  }
}
