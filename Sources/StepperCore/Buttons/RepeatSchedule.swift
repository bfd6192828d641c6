/// When a held button repeats: once after `delay`, and from then on at the interval of the present stage.
///
/// Times count from the press. The default is UIStepper's schedule: 500, 1000, 1500, 2000 ms and then every 100 ms
/// (semantics: 85 changes in a ten-second hold, the first at the press).
package struct RepeatSchedule: Hashable, Sendable {
  /// From `from` on, counted from the press, the next repeat follows after `interval`.
  package struct Stage: Hashable, Sendable {
    package var from: Duration
    package var interval: Duration

    package init(from: Duration, interval: Duration) {
      self.from = from
      self.interval = interval
    }
  }

  /// From the press to the first repeat; the kernel calls it `REP_DELAY`.
  package var delay: Duration
  /// In order of `from`; the first stage applies from the first repeat on, whatever its `from`.
  package private(set) var stages: [Stage]

  /// No interval may be shorter than this; it bounds the number of repeats that one wakeup may have to catch up with.
  package static let shortestInterval = Duration.milliseconds(1)

  package init(delay: Duration, interval: Duration) {
    self.init(delay: delay, stages: [Stage(from: .zero, interval: interval)])
  }

  /// Sorts the stages, and raises intervals below ``shortestInterval``. An empty list of stages repeats every
  /// `delay`.
  package init(delay: Duration, stages: [Stage]) {
    self.delay = max(delay, Self.shortestInterval)
    let stages = stages.isEmpty ? [Stage(from: .zero, interval: delay)] : stages
    self.stages = stages.sorted { $0.from < $1.from }.map { stage in
      Stage(from: stage.from, interval: max(stage.interval, Self.shortestInterval))
    }
  }

  /// The interval to wait after a repeat that came `elapsed` after the press.
  package func interval(at elapsed: Duration) -> Duration {
    let stage = stages.last { $0.from <= elapsed } ?? stages.first
    return stage?.interval ?? delay
  }

  /// UIStepper as documented: 0, 500, 1000, 1500, 2000 ms, then every 100 ms.
  package static let uikit = RepeatSchedule(
    delay: .milliseconds(500),
    stages: [
      Stage(from: .zero, interval: .milliseconds(500)),
      Stage(from: .seconds(2), interval: .milliseconds(100)),
    ])
}
