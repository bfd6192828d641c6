import StepperCore

/// `repeat = { … }` of a control.
enum RepeatKey: String, ConfigurationKey {
  case delay, interval, stages

  typealias Target = (delay: Duration?, interval: Duration?)

  static var standard: Target { (nil, nil) }

  var key: Key<Target> {
    switch self {
    case .delay: Key(\.delay, .betweenRepeats)
    case .interval: Key(\.interval, .betweenRepeats)
    case .stages: .other
    }
  }
}

/// An element of `stages`.
enum StageKey: String, ConfigurationKey {
  case from, interval

  typealias Target = (from: Duration, interval: Duration?)

  static var standard: Target { (.zero, nil) }

  var key: Key<Target> {
    switch self {
    case .from: Key(\.from, .duration(in: .zero ... .seconds(3_600)))
    case .interval: Key(\.interval, .betweenRepeats)
    }
  }
}

extension Kind<Duration> {
  fileprivate static var betweenRepeats: Self {
    duration(in: RepeatSchedule.shortestInterval ... .seconds(60))
  }
}
