internal import ArgumentParser
internal import StepperCore
internal import StepperText

/// A duration on the command line, with a unit as in the configuration: `500ms`, `2s`, `1.5s`, `1m`. Without a unit it
/// is in seconds. The range is from 0 to a day.
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
  var milliseconds: Int64 { duration.milliseconds }
}
