internal import StepperInterfaces

/// Events that were lost or late since the daemon started.
enum EventsCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard let daemon = facts.daemon, let status = daemon.status else { return [] }
    var findings: [Finding] = []
    for device in daemon.devices where device.overruns > 0 {
      findings.append(
        Finding(
          "events.lost", "device \(device.device)", .warning,
          "the kernel dropped events \(device.overruns) times in \(device.events) events",
          because: "It sends more than is read, or the machine is too busy to read in time.",
          remedies: [.command("top -b -n 1 | head -15")]))
    }
    for storm in metrics("eventStorms", status) {
      findings.append(
        Finding(
          "events.storm", "device \(storm.object ?? "")", .warning,
          "it sent more than 4000 frames a second, \(Int64(clamping: storm.value)) times",
          because: "A loose contact or a defective device does that; the excess is lost.",
          remedies: [.command("stepperctl monitor \(Shell.quoted(storm.object ?? ""))")]))
    }
    if status.stalls > 0 {
      findings.append(
        Finding(
          "events.stalled", "daemon", .note, "it woke up more than 250 ms late \(status.stalls) times",
          because: "The machine slept, was stopped, or was too busy.",
          remedies: stalls(facts)))
    }
    if let median = status.latencyMedianMicroseconds, median > 20_000 {
      findings.append(
        Finding(
          "events.slow", "daemon", .warning,
          "half of the changes take longer than \(median / 1000) ms from the input to the reply",
          because: "The machine is too busy.", remedies: stalls(facts)))
    }
    guard findings.isEmpty else { return findings }
    return [Finding("events.complete", "events", .ok, "\(status.eventsRead) events read, none lost")]
  }

  private static func metrics(
    _ name: String, _ status: ManagerInterface.GetStatus.Reply
  ) -> [ManagerInterface.Metric] {
    (status.metrics ?? []).filter { $0.name == name && $0.value > 0 }
  }

  private static func stalls(_ facts: Facts) -> [Remedy] {
    guard facts.isSystem else { return [] }
    return [
      .advice(
        "if it happens in normal use, the drop-in realtime.conf of the examples gives the daemon priority")
    ]
  }
}

extension Int64 {
  /// The nearest number; 0 for what is none.
  fileprivate init(clamping number: Double) {
    self = Int64(exactly: number.rounded()) ?? (number > 0 ? .max : 0)
  }
}
