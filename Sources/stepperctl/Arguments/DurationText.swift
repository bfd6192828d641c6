internal import ArgumentParser
internal import StepperConfiguration

/// A duration with its unit, as in the configuration: `500ms`, `2s`, `1.5s`, `1m`. Without a unit: seconds.
struct DurationText: ExpressibleByArgument, CustomStringConvertible {
  /// At most a day.
  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    let text = argument.hasPrefix(".") ? "0\(argument)" : argument
    guard let duration = (DurationNumeral(text) ?? DurationNumeral("\(text)s"))?.duration,
      (.zero ... .seconds(86_400)).contains(duration)
    else { return nil }
    self.duration = duration
  }

  /// In seconds if it is a whole number of them, else in milliseconds, rounded down.
  var description: String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }

  /// Rounded down.
  var milliseconds: Int64 {
    let parts = duration.components
    return parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
  }

  var defaultValueDescription: String { description }
}
