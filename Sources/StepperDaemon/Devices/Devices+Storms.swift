import StepperCore
import StepperInput
import StepperSystem

/// What is left over of a wakeup, and devices that send more than a stepper can.
extension Devices {
  /// How many nodes are open.
  var openCount: Int { entries.count { $0.device != nil } }

  /// Whether something of it was left that must be read although the kernel may not tell of it any more.
  func mustReadOn(_ entry: DeviceEntry) -> Bool { entry.hasUnread && !entry.storm.isPaused }

  /// Reads on where a wakeup before this one left something, and where a pause is over.
  func readOn() {
    for entry in entries {
      perform(entry.storm.advance(to: now), for: entry)
      if mustReadOn(entry) { read(entry) }
    }
  }

  /// At most once a second, and not in a storm, of which that is said already.
  func reportOverrun(of entry: DeviceEntry) {
    if entry.storm.storm != nil || entry.overrunReported.map({ now - $0 < .seconds(1) }) ?? false { return }
    entry.overrunReported = now
    report("\(entry.name): the kernel dropped events; what it holds was read back")
  }

  /// While a device is not read, the kernel drops what is too much and says so; then the state is read back.
  func perform(_ order: StormGauge.Order?, for entry: DeviceEntry) {
    guard let device = entry.device, let order else { return }
    switch order {
    case .pause(let isNew):
      storms.pauses += 1
      loop.change(device.rawDescriptor, to: [])
      guard isNew else { return }
      storms.begun += 1
      report(
        "\(entry.name): sends events faster than they are read, which is \(StormGauge.framesPerSecond) frames a second; "
          + "what is more is lost until that ends")
      note(entry.name)
    case .resume:
      entry.hasUnread = true
      loop.change(device.rawDescriptor, to: .readable)
    case .ended(let storm):
      report(
        "\(entry.name): the storm is over after \((now - storm.began).milliseconds) ms; \(storm.frames) frames were read, "
          + "in \(storm.pauses) pauses others were lost")
      note(entry.name)
    }
  }
}
