import StepperCore
import StepperInterfaces
import StepperSystem

extension MetricFamily {
  /// All counters and measurements, in the order of the reply.
  static let all: [MetricFamily] = ofInput + ofControls + ofClients + ofHooks + ofValues + ofDaemon

  private static let ofInput: [MetricFamily] = [
    .gauge("devices", "Devices that are read, virtual ones included") { Int64($0.devices.readCount) },
    .ofDevices("eventsRead", "Input events read, without the reports that end a frame", \.events),
    .ofDevices("framesRead", "Frames read: events up to a report", \.frames),
    .ofDevices(
      "overruns", "Losses of events that the kernel reported, each followed by a resynchronization"
    ) {
      $0.overruns
    },
    .ofDevices("connects", "Times the device was opened", \.connects),
    .counter("readsLeft", "Reads of a device that left events for the next wakeup") {
      $0.devices.reader.counters.budgetOverruns
    },
    .counter("eventStorms", "Times a device began to send more than a stepper can") {
      $0.devices.storms.begun
    },
    .counter("eventStormPauses", "Pauses in which a device was not read because of a storm") {
      $0.devices.storms.pauses
    },
  ]

  private static let ofControls: [MetricFamily] = [
    .gauge("controls", "Configured controls") { Int64($0.world.ids.count) },
    .counter("changes", "States of controls published") { $0.world.changes },
    .counter("repeats", "Steps made by autorepeat") { $0.world.repeats },
    .counter("refusals", "Requests of clients that a control refused") { $0.world.refusals },
    .counter("changesCoalesced", "Changes coalesced into a later reply") { $0.followers.coalesced },
  ]

  private static let ofClients: [MetricFamily] = [
    .gauge("clients", "Open connections") { Int64($0.server.sessions.count) },
    .gauge("subscriptions", "Calls that follow controls, devices or moments") { Int64($0.followers.count) },
    .ofServer("connectionsAccepted", "Connections accepted", \.accepted),
    .ofServer("connectionsRefused", "Connections closed at once because too many were open", \.refused),
    .ofServer(
      "connectionsOutgrown",
      "Connections closed because they did not read while the memory limit was exceeded", \.outgrown),
    .ofServer("callsAnswered", "Calls answered, one-way calls included", \.callsAnswered),
    .ofServer("repliesSent", "Replies to calls and of subscriptions", \.repliesSent),
    .ofServer("bytesReceived", "Bytes received from clients", \.bytesReceived),
    .ofServer("bytesSent", "Bytes sent to clients", \.bytesSent),
    .ofServer(
      "budgetOverruns", "Wakeups whose budget was insufficient for the pending work of clients",
      \.budgetOverruns),
  ]

  private static let ofHooks: [MetricFamily] = [
    .ofHooks("hookRuns", "Commands that the hook started", \.runs),
    .ofHooks("hookFailures", "Commands of the hook that did not start or did not end well", \.failures),
    .ofHooks("hookTimeouts", "Commands of the hook that were ended because they took too long", \.timeouts),
    .ofHooks("hookEventsSkipped", "Events that a later one replaced before the hook ran", \.skipped),
  ]

  private static let ofValues: [MetricFamily] = [
    .counter("saves", "Times the saved values were written") { $0.store.counters.saves },
    .counter("saveFailures", "Times the saved values could not be written") {
      $0.store.counters.failures
    },
    .counter("stateFilesSetAside", "State files set aside because they were damaged or foreign") {
      $0.store.counters.setAside
    },
    MetricFamily(
      name: "saveSeconds", type: .gauge, description: "Time that the last write took until it was on the disk"
    ) { daemon in
      daemon.store.counters.lastTime.map { [Sample(value: Double($0.nanoseconds) / 1e9)] } ?? []
    },
  ]

  private static let ofDaemon: [MetricFamily] = [
    .gauge("problems", "Problems at present, as status lists them") { Int64($0.problems.count) },
    .counter("stalls", "Wakeups more than 250 ms late") { $0.interruptions.stalls },
    .counter("logLinesLost", "Lines of the log that standard error did not accept") { $0.journal.lostCount },
    .counter("logMessagesSuppressed", "Messages that the rate limits of the log suppressed") {
      $0.journal.suppressedCount
    },
    MetricFamily(
      name: "latencySeconds", type: .gauge,
      description: "Time from an input event to the reply written, of the last 1024 changes"
    ) { daemon in
      [0.5, 0.9, 0.99, 1].compactMap { quantile in
        daemon.server.latency.quantile(quantile).map { Sample(quantile: quantile, value: Double($0) / 1e6) }
      }
    },
    MetricFamily(name: "uptimeSeconds", type: .gauge, description: "Time since the start") { daemon in
      [Sample(value: Double((daemon.loop.now - daemon.started).nanoseconds) / 1e9)]
    },
  ]
}

extension Daemon {
  /// The present values of all metrics.
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
