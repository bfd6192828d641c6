import StepperCore
import StepperInterfaces
import StepperLinux

extension MetricFamily<Daemon> {
  /// All counters and measurements, in the order of the reply. This is the only description of the counters.
  static let all: [Self] = ofInput + ofClients + ofHooks + ofDaemon

  private static let ofInput: [Self] = [
    .gauge("devices", "Devices that are read, virtual ones included", \.devices.index.readCount),
    .ofDevices("eventsRead", "Input events read, without the reports that end a frame", \.events),
    .ofDevices("framesRead", "Frames read: events up to a report", \.frames),
    .ofDevices(
      "overruns", "Losses of events in the kernel or a program, each followed by a resynchronization",
      \.overruns),
    .ofDevices("connects", "Times the device was opened", \.connects),
    .counter(
      "readsLeft", "Reads of a device that left events for the next wakeup", \.devices.account.unfinishedReads
    ),
    .counter("eventStorms", "Times a device began to send more than a stepper can", \.devices.account.storms),
    .counter(
      "eventStormPauses", "Pauses in which a device was not read because of a storm",
      \.devices.account.stormPauses),
    .gauge("controls", "Configured controls", \.world.count),
    .counter("changes", "States of controls published", \.world.changes),
    .counter("repeats", "Steps made by autorepeat", \.world.engine.repeats),
    .counter("refusals", "Requests of clients that a control refused", \.world.refusals),
    .counter("changesCoalesced", "Changes coalesced into a later reply", \.subscriptions.coalesced),
  ]

  private static let ofClients: [Self] = [
    .gauge("clients", "Open connections", \.server.sessions.count),
    .gauge("subscriptions", "Calls that follow controls, devices or moments", \.subscriptions.count),
    .counter("connectionsAccepted", "Connections accepted", \.server.counters.accepted),
    .counter(
      "connectionsRefused", "Connections closed at once because too many were open",
      \.server.counters.refused),
    .counter(
      "connectionsOutgrown",
      "Connections closed because they did not read while the memory limit was exceeded",
      \.server.counters.outgrown),
    .counter("callsAnswered", "Calls answered, one-way calls included", \.server.counters.callsAnswered),
    .counter("repliesSent", "Replies to calls and of subscriptions", \.server.counters.repliesSent),
    .counter("bytesReceived", "Bytes received from clients", \.server.counters.bytesReceived),
    .counter("bytesSent", "Bytes sent to clients", \.server.counters.bytesSent),
    .counter(
      "budgetOverruns", "Wakeups whose budget was insufficient for the pending work of clients",
      \.server.counters.budgetOverruns),
  ]

  private static let ofHooks: [Self] = [
    .ofHooks("hookRuns", "Commands that the hook started", \.runs),
    .ofHooks("hookFailures", "Commands of the hook that did not start or did not end well", \.failures),
    .ofHooks("hookTimeouts", "Commands of the hook that were ended because they took too long", \.timeouts),
    .ofHooks("hookEventsSkipped", "Events that a later one replaced before the hook ran", \.skipped),
  ]

  private static let ofDaemon: [Self] = [
    .counter("saves", "Times the saved values were written", \.store.counters.saves),
    .counter("saveFailures", "Times the saved values could not be written", \.store.counters.failures),
    .counter(
      "stateFilesSetAside", "State files set aside because they were damaged or foreign",
      \.store.counters.setAside),
    .time("saveSeconds", "Time that the last write took until it was on the disk", \.store.counters.lastTime),
    .gauge("problems", "Problems at present, as status lists them", \.problems.count),
    .counter("stalls", "Wakeups more than 250 ms late", \.interruptions.stalls),
    .counter("logLinesLost", "Lines of the log that standard error did not accept", \.journal.lostCount),
    .counter(
      "logMessagesSuppressed", "Messages that the rate limits of the log suppressed",
      \.journal.suppressedCount),
    Self(
      "latencySeconds", .gauge,
      "Time from an input event to the reply written, of the last 1024 measured changes"
    ) { daemon in
      [0.5, 0.9, 0.99, 1].compactMap { quantile in
        daemon.server.latency.quantile(quantile).map { Sample(quantile: quantile, value: Double($0) / 1e6) }
      }
    },
    .time("uptimeSeconds", "Time since the start") { $0.loop.now - $0.started },
  ]

  /// A counter of each configured device.
  private static func ofDevices(
    _ name: String, _ description: String, _ value: @escaping (DeviceEntry) -> Int64
  ) -> Self {
    Self(name, .counter, description) { daemon in
      daemon.devices.entries.filter { $0.configuration != nil }.map { entry in
        Sample(object: entry.name, value: Double(value(entry)))
      }
    }
  }

  /// A counter of each hook, named `CONTROL HOOK`, or `HOOK` for the whole board.
  private static func ofHooks(
    _ name: String, _ description: String, _ value: @escaping (HookCounters) -> Int64
  ) -> Self {
    Self(name, .counter, description) { daemon in
      daemon.feedback.hooks.counters.sorted { $0.key < $1.key }.map { hook, counters in
        Sample(object: hook, value: Double(value(counters)))
      }
    }
  }
}

extension Daemon {
  /// The present values of all metrics.
  var metrics: [ManagerInterface.Metric] { MetricFamily<Daemon>.all.flatMap { $0.metrics(of: self) } }
}
