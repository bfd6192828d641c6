internal import ArgumentParser
internal import StepperCore
internal import StepperText

/// A duration of the command line, with its unit as in the configuration: `500ms`, `2s`, `1.5s`, `1m`. Without a unit:
/// seconds. From 0 to a day.
struct DurationText: ExpressibleByArgument, CustomStringConvertible {
  /// At most a day.
  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    guard let duration = DurationNumeral(argument, .commandLine)?.duration,
      (.zero ... .seconds(86_400)).contains(duration)
    else { return nil }
    self.duration = duration
  }

  var description: String { duration.text }

  /// Rounded down.
  var milliseconds: Int64 { duration.nanoseconds / 1_000_000 }
}
