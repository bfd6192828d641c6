internal import ArgumentParser

/// A duration with its unit, as in the configuration: `500ms`, `2s`, `1.5s`, `1m`. Without a unit: seconds.
struct DurationText: ExpressibleByArgument, CustomStringConvertible {
  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    let units: [(suffix: String, seconds: Double)] = [
      ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1),
    ]
    guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }),
      let number = Double(argument.dropLast(unit.suffix.count)), (0...86_400).contains(number * unit.seconds)
    else { return nil }
    duration = .seconds(number * unit.seconds)
  }

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
