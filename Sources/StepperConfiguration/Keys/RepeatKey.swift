import StepperCore

/// `repeat = { … }` of a control.
enum RepeatKey: String, ConfigurationKey {
  case delay, interval, stages

  struct Times {
    var delay: Duration?
    var interval: Duration?
  }

  static var standard: Times { Times() }

  var key: Key<Times> {
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

  struct Times {
    var from = Duration.zero
    var interval: Duration?
  }

  static var standard: Times { Times() }

  var key: Key<Times> {
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
