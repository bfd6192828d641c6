import Glibc
import StepperCore
import StepperLinux
import TestSupport
import Testing

@testable import StepperConfiguration
@testable import StepperDaemon

/// One at a time: they keep the main actor, and many commands at once are slow.
@MainActor @Suite(.serialized, .timeLimit(.minutes(10))) enum HookTests {}

/// Hooks on a real event loop, with real commands that write into a folder.
@MainActor final class HookBed {
  let folder: TemporaryFolder
  let loop: EventLoop
  let journal: Journal
  private let logFile: OwnedFileDescriptor
  private(set) var hooks: Hooks
  private var value: Int64 = 0
  /// For each change of a storm, how long after its time it happened.
  private var lateness: [Duration] = []
  /// How often ``run(within:until:)`` woke up.
  private(set) var wakeups = 0

  /// The lines of the daemon's log.
  var log: [String] { lines("log") }

  /// `clock` measures the work of a wakeup.
  init(_ entries: [Hooks.Entry] = [], clock: @escaping () -> Instant = { .now }) throws {
    folder = try TemporaryFolder()
    loop = try EventLoop()
    logFile = try OwnedFileDescriptor(
      unsafe open("\(folder.path)/log", O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600))
    journal = Journal(LogOutput(style: .plain, descriptor: logFile.rawValue))
    hooks = Hooks(
      entries, loop: loop, journal: journal,
      environment: ["PATH": "/usr/bin:/bin", "FOLDER": folder.path, "STEPPERD_ADDRESS": "/nowhere"],
      clock: clock)
  }

  /// One hook for increments of `volume`; `script` is the shell's, in `$FOLDER`.
  convenience init(
    _ script: String, debounce: Duration? = nil, interval: Duration? = nil,
    timeout: Duration = .seconds(10)
  ) throws {
    try self.init([
      .script(script, debounce: debounce, interval: interval, timeout: timeout)
    ])
  }

  isolated deinit { hooks.stop(at: .now) }

  /// One change, now.
  func change() {
    value += 1
    hooks.note(.change(to: value), at: .now)
  }

  /// Runs until `condition` holds, looking after every wakeup; `false` if it does not within `seconds`.
  func run(within seconds: Int64 = 10, until condition: () -> Bool) throws -> Bool {
    let end = Instant.now + .seconds(seconds)
    var holds = false
    try loop.run { now in
      wakeups += 1
      hooks.advance(to: now)
      holds = condition()
      if holds || now >= end { loop.stop() }
      return [hooks.deadline, end].compactMap(\.self).min()
    }
    return holds
  }

  /// Runs while changes come, one each `period`, for `duration`.
  func storm(every period: Duration = .milliseconds(1), for duration: Duration) throws {
    let began = Instant.now
    var due = began
    try loop.run { now in
      while due <= now, due < began + duration {
        lateness.append(now - due)
        change()
        due = due + period
      }
      hooks.advance(to: now)
      if now >= began + duration { loop.stop() }
      return [hooks.deadline, due].compactMap(\.self).min()
    }
  }

  /// Whether half of the changes of a storm are made within 5 ms of their time, or, where the machine does not do that
  /// anyway, not much later than without hooks. Other programs may have the processors meanwhile, so several storms are
  /// judged; a loop that waits for its commands is late in each.
  func isAsQuickAsWithoutHooks() throws -> Bool {
    for _ in 0..<8 {
      if medianLateness < .milliseconds(5) { return true }
      let plain = try HookBed()
      try plain.storm(for: .milliseconds(500))
      if medianLateness < plain.medianLateness * 3 { return true }
      lateness = []
      try storm(for: .milliseconds(500))
    }
    return false
  }

  private var medianLateness: Duration { lateness.sorted()[lateness.count / 2] }

  /// The lines that the commands wrote into `file`.
  func lines(_ file: String = "out") -> [String] {
    // Before the first command there is none.
    ((try? folder.read(file)) ?? "").split(separator: "\n").map(String.init)
  }

  /// Of all hooks that are configured.
  var counters: HookCounters {
    hooks.counters.values.reduce(into: HookCounters()) { sum, counters in
      sum.runs += counters.runs
      sum.failures += counters.failures
      sum.timeouts += counters.timeouts
      sum.skipped += counters.skipped
    }
  }
  var lastValue: Int64 { value }
}

extension Hooks.Entry {
  static func script(
    _ script: String, named name: String = "on-change", debounce: Duration? = nil, interval: Duration? = nil,
    timeout: Duration = .seconds(10)
  ) -> Self {
    Self(
      control: "volume",
      settings: HookSettings(
        name: name, occasions: [.moment(.increment)], command: ["sh", "-c", script], debounce: debounce,
        interval: interval, timeout: timeout))
  }
}
