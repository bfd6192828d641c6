internal import ArgumentParser
internal import StepperClient
internal import StepperConfiguration

struct StatusCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the state of the daemon and its problems.")

  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    let status = try client.status()
    guard !global.json else { return try Output.json(status) }
    var table = Table()
    table.add(["version", status.version])
    table.add(["configuration", status.configuration ?? "built-in"])
    table.add(["up", Self.time(status.uptimeMicroseconds)])
    table.add(["controls", "\(status.controls)"])
    table.add(["devices", "\(status.devices)"])
    table.add(["clients", "\(status.clients), \(status.subscriptions.counted("subscription"))"])
    table.add([
      "input",
      "\(status.eventsRead.counted("event")), \(status.overruns.counted("overrun")), \(status.stalls.counted("late wakeup"))",
    ])
    table.add([
      "output",
      "\(status.repliesSent) \(status.repliesSent == 1 ? "reply" : "replies"), \(status.changesCoalesced.counted("change")) coalesced",
    ])
    if let median = status.latencyMedianMicroseconds, let maximum = status.latencyMaximumMicroseconds {
      table.add(["latency", "\(median) µs median, \(maximum) µs maximum"])
    }
    for bridge in BridgeReading.all { table.add([bridge.program.word, bridge.status]) }
    for problem in status.problems { table.add(["problem", problem], highlightingLast: true) }
    table.write()
  }

  /// `3d 4h`, `2h 10min`, `5min 3s`, `12s`.
  static func time(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    let units: [(name: String, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
    let first = units.firstIndex { seconds >= $0.seconds } ?? units.count - 1
    let larger = "\(seconds / units[first].seconds)\(units[first].name)"
    guard first + 1 < units.count else { return larger }
    let rest = seconds % units[first].seconds / units[first + 1].seconds
    return rest == 0 ? larger : "\(larger) \(rest)\(units[first + 1].name)"
  }
}
