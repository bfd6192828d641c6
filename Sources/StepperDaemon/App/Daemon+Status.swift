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

  /// The current problems, one sentence on one line each, the most serious kinds first. The status line shows the first of them.
  var problems: [String] {
    var problems = [store.problem, socket.problem, configuration.problem, recorder?.problem].compactMap {
      $0?.text
    }
    problems += [recordingProblem].compactMap(\.self) + world.loaded.missingAccounts
    problems += discovery.problems + devices.problems + feedback.hooks.failures
    problems += server.refused.problems(server.slots) + refusedProviders.all.map(\.detail)
    return problems.map { $0.onOneLine(limit: Self.problemLimit) }.fitted
  }

  /// Rebuilds the status line if its basis has changed. Every wakeup checks this, so the check allocates no memory.
  func updateStatusLine() {
    let basis = StatusLine.Basis(
      devices: devices.revision, controls: world.count, clients: server.sessions.count,
      missingAccounts: world.loaded.missingAccounts,
      problems: store.problem.revision + socket.problem.revision + configuration.problem.revision
        + (recorder?.problem.revision ?? 0) + discovery.revision + feedback.hooks.revision
        + server.refused.revision + refusedProviders.revision)
    guard statusLine.basis != basis else { return }
    if statusLine.basis?.devices != basis.devices { devices.reportMisfits() }
    statusLine = StatusLine(basis: basis, text: makeStatusLine())
  }

  /// Records that a client asked to attach a device without the right to do so, and logs the first such request of a user.
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

  /// Maximum number of problems in the status line, and maximum length of each in bytes. A message to the service
  /// manager is one datagram, and `systemctl status` shows one line.
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

/// The line about the daemon that `systemctl status` shows.
struct StatusLine {
  /// The values that the line is made from. The line is rebuilt only when one of them changes.
  struct Basis: Equatable {
    /// ``Devices/revision``.
    var devices: Int
    var controls: Int
    var clients: Int
    var missingAccounts: [String]
    /// The sum of the revisions of all other sources of problems. A revision only grows.
    var problems: Int
  }

  var basis: Basis?
  var text = ""
}
