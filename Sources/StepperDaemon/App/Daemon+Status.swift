import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText

extension Daemon {
  package var socketPath: String { socket.path }

  var status: ManagerInterface.GetStatus.Reply {
    ManagerInterface.GetStatus.Reply(
      version: Product.version, instance: world.instance, configuration: world.loaded.path,
      uptimeMicroseconds: (loop.now - started).nanoseconds / 1_000, sequence: world.sequence,
      controls: Int64(world.count), devices: Int64(devices.index.readCount),
      clients: Int64(server.sessions.count),
      subscriptions: Int64(subscriptions.count),
      eventsRead: devices.entries.reduce(0) { $0 + $1.events },
      overruns: devices.entries.reduce(0) { $0 + $1.overruns },
      repliesSent: server.counters.repliesSent, changesCoalesced: subscriptions.coalesced,
      stalls: interruptions.stalls,
      latencyMedianMicroseconds: server.latency.median,
      latencyMaximumMicroseconds: server.latency.maximum,
      problems: problems, metrics: metrics.fitted)
  }

  /// The present problems, one sentence and one line each, the most serious kinds first. The status line has the same.
  var problems: [String] {
    var problems = [store.problem, socket.problem, configuration.problem, recorder?.problem].compactMap(
      \.self)
    problems += world.loaded.missingAccounts
    problems += discovery.problems + devices.problems + feedback.hooks.failures
    problems += server.refused.problems(server.slots) + refusedProviders.problems
    return problems.map { $0.onOneLine(limit: Self.problemLimit) }.fitted
  }

  /// Writes the status line again if what it is made of has changed: it is looked at in each wakeup.
  func updateStatusLine() {
    let basis = StatusLine.Basis(
      devices: devices.revision, controls: world.count, clients: server.sessions.count,
      missingAccounts: world.loaded.missingAccounts,
      problems: store.revision + socket.revision + configuration.revision + discovery.revision
        + feedback.hooks.revision + server.refused.revision + refusedProviders.revision
        + (recorder?.revision ?? 0))
    guard statusLine.basis != basis else { return }
    if statusLine.basis?.devices != basis.devices { devices.reportMisfits() }
    statusLine = StatusLine(basis: basis, text: makeStatusLine())
  }

  /// A client asked to attach a device, which it may not.
  func refuseProvider(_ peer: PeerCredentials) {
    guard let problem = refusedProviders.note(peer.userID, world.configuration.daemon.providers) else {
      return
    }
    journal.warning(.client, "process \(peer.processID): \(problem)")
  }

  /// `2 devices, 1 control, 3 clients; front: permission denied: …`.
  private func makeStatusLine() -> String {
    func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    let counts = [
      count(devices.index.readCount, "device"), count(world.count, "control"),
      count(server.sessions.count, "client"),
    ]
    let all = problems
    let shown = all.prefix(Self.mostInStatusLine).map { $0.onOneLine(limit: Self.statusLimit) }
    let rest = all.count > shown.count ? ["… and \(all.count - shown.count) more, see stepperctl status"] : []
    return ([counts.joined(separator: ", ")] + shown + rest).joined(separator: "; ")
  }

  /// The most problems in the status line, and the most bytes of each: a message to the service manager is one datagram,
  /// and `systemctl status` one line.
  private static let mostInStatusLine = 8
  private static let statusLimit = 256

  /// Maximum length of a problem in bytes.
  private static let problemLimit = 512

  /// The summary for a person who starts the daemon in a terminal.
  package var greeting: Greeting {
    Greeting(
      socket: socketPath, isUsualSocket: socketPath == options.paths.socket,
      configuration: world.loaded.path,
      controls: world.configurations, devices: devices.descriptions)
  }
}

/// What `systemctl status` shows of the daemon.
struct StatusLine {
  /// What the line is made of. While it is the same, so is the line.
  struct Basis: Equatable {
    /// ``Devices/revision``.
    var devices: Int
    var controls: Int
    var clients: Int
    var missingAccounts: [String]
    /// The sum of the revisions of everything else that has problems; each of them only grows.
    var problems: Int
  }

  var basis: Basis?
  var text = ""
}
