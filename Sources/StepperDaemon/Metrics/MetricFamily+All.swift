import StepperCore
import StepperWire

extension MetricFamily {
  /// Everything that is counted or measured, in the order in which it is listed.
  static let all: [MetricFamily] = ofInput + ofControls + ofClients + ofHooks + ofValues + ofDaemon

  private static let ofInput: [MetricFamily] = [
    .gauge("devices", "Devices that are read, virtual ones included") { Int64($0.devices.readCount) },
    .ofDevices("eventsRead", "Input events read, without the reports that end a frame", \.events),
    .ofDevices("framesRead", "Frames read: events up to a report", \.frames),
    .ofDevices(
      "overruns", "Losses of events that the kernel reported, each followed by reading the state back"
    ) {
      $0.overruns
    },
    .ofDevices("connects", "Times the device was opened", \.connects),
  ]

  private static let ofControls: [MetricFamily] = [
    .gauge("controls", "Configured controls") { Int64($0.controls.ids.count) },
    .counter("changes", "States of controls published") { $0.controls.changes },
    .counter("repeats", "Steps made by autorepeat") { $0.controls.repeats },
    .counter("refusals", "Requests of clients that a control refused") { $0.controls.refusals },
    .counter("changesCoalesced", "Changes folded into a later reply") { $0.controls.coalesced },
  ]

  private static let ofClients: [MetricFamily] = [
    .gauge("clients", "Open connections") { Int64($0.server?.sessions.count ?? 0) },
    .gauge("subscriptions", "Calls that follow controls, devices or moments") { $0.subscriptionCount },
    .counter("repliesSent", "Replies handed to connections") { $0.server?.repliesSent ?? 0 },
  ]

  private static let ofHooks: [MetricFamily] = [
    .ofHooks("hookRuns", "Commands that the hook started", \.runs),
    .ofHooks("hookFailures", "Commands of the hook that did not start or did not end well", \.failures),
    .ofHooks("hookTimeouts", "Commands of the hook that were ended because they took too long", \.timeouts),
    .ofHooks("hookEventsSkipped", "Events that a later one replaced before the hook ran", \.skipped),
  ]

  private static let ofValues: [MetricFamily] = []

  private static let ofDaemon: [MetricFamily] = [
    .gauge("problems", "Problems at present, as status lists them") { Int64($0.problems.count) },
    .counter("stalls", "Wakeups more than 250 ms late") { $0.stalls },
    MetricFamily(
      name: "latencySeconds", type: .gauge,
      description: "Time from an input event to the reply written, of the last 1024 changes"
    ) { daemon in
      [0.5, 0.9, 0.99, 1].compactMap { quantile in
        daemon.latency.quantile(quantile).map { Sample(quantile: quantile, value: Double($0) / 1e6) }
      }
    },
    MetricFamily(name: "uptimeSeconds", type: .gauge, description: "Time since the start") { daemon in
      [Sample(value: Double((daemon.now - daemon.started).nanoseconds) / 1e9)]
    },
  ]
}

extension Daemon {
  /// All metrics at present.
  var metrics: [ManagerInterface.Metric] {
    MetricFamily.all.flatMap { family in
      family.samples(self).map { sample in
        ManagerInterface.Metric(
          name: family.name, type: family.type, description: family.description, object: sample.object,
          quantile: sample.quantile, value: sample.value)
      }
    }
  }
}
