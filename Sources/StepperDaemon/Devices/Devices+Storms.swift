import StepperCore
import StepperLinux

/// Reads that continue in later wakeups, and devices that send more events than a stepper can.
extension Devices {
  /// Continues to read a device that has unread events from an earlier wakeup, also after a pause.
  func continueReading(_ entry: DeviceEntry) {
    perform(entry.storm.advance(to: now), for: entry)
    if entry.mustContinueReading { read(entry) }
    endLease(of: entry)
  }

  /// Reports lost events at most once per second, and not during a storm, which is reported separately.
  func reportOverrun(of entry: DeviceEntry) {
    if entry.storm.storm != nil || entry.overrunReported.map({ now - $0 < .seconds(1) }) ?? false { return }
    entry.overrunReported = now
    let who = entry.provided == nil ? "the kernel dropped" : "its program has lost"
    report("\(entry.name): \(who) events; it was resynchronized")
  }

  /// Does what the storm gauge requires. While a device is not read, the kernel drops the excess and reports
  /// SYN_DROPPED; then the device is resynchronized. Reports of programs cannot be paused and are dropped here.
  func perform(_ action: StormGauge.Action?, for entry: DeviceEntry) {
    guard let action else { return }
    switch action {
    case .pause(let isNew):
      account.notePause(isNew: isNew)
      if let device = entry.device { loop.change(device.rawDescriptor, to: []) }
      entry.provided?.beginLoss()
      guard isNew else { return }
      report(
        "\(entry.name): sends more than \(StormGauge.framesPerSecond) frames a second; "
          + "the rest is lost until it sends fewer")
      note(entry.name)
    case .resume:
      guard let device = entry.device else { return endLoss(of: entry) }
      entry.hasUnread = true
      loop.change(device.rawDescriptor, to: .readable)
    case .ended(let storm):
      report(
        "\(entry.name): the storm of events ended after \((now - storm.began).milliseconds) ms; \(storm.frames) frames were read, "
          + "others were lost in \(storm.pauses) pauses")
      note(entry.name)
    }
  }
}
