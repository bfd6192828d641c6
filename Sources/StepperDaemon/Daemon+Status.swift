import StepperConfiguration
import StepperCore
import StepperSystem
import StepperWire

extension Daemon {
  package var socketPath: String {
    options.socketPath ?? loaded.configuration.daemon.socketPath ?? places.socket
  }

  var status: ManagerInterface.GetStatus.Reply {
    let sessions = server?.sessions.values
    return ManagerInterface.GetStatus.Reply(
      version: Version.number, instance: controls.instance, configuration: loaded.path,
      uptimeMicroseconds: (now - started).nanoseconds / 1_000, sequence: controls.sequence,
      controls: Int64(controls.ids.count), devices: Int64(devices.entries.count(where: \.isRead)),
      clients: Int64(sessions?.count ?? 0),
      subscriptions: Int64(controls.subscriptionCount + devices.feedCount),
      eventsRead: devices.entries.reduce(0) { $0 + $1.events },
      overruns: devices.entries.reduce(0) { $0 + $1.overruns },
      repliesSent: server?.repliesSent ?? 0, changesCoalesced: controls.coalesced, stalls: stalls,
      latencyMedianMicroseconds: latency.median, latencyMaximumMicroseconds: latency.maximum,
      problems: devices.entries.compactMap { entry in entry.problem.map { "\(entry.name): \($0)" } })
  }

  /// What a person who starts it in a terminal wants to know.
  package var greeting: Greeting {
    Greeting(
      socket: socketPath, configuration: loaded.path, controls: controls.configurations,
      devices: devices.descriptions)
  }
}
