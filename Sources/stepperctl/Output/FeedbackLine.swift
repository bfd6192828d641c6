internal import StepperClient

/// An effect that was played or a light that was set: an object in JSON, else two columns.
protocol FeedbackLine: Encodable {
  /// The effect or brightness, and the output or light.
  var row: [String] { get }
}

extension FeedbackLine {
  /// Writes it in columns that are at least as wide as in the lines before.
  func write(json: Bool, _ columns: inout RunningColumns) throws {
    if json { try Output.json(self) } else { Output.line(columns.line(row)) }
  }
}

/// An effect that was asked for.
struct PlayedEffect: FeedbackLine {
  var device: String
  var effect: DeviceInterface.Effect
  /// The output that plays it.
  var played: String?

  var row: [String] { [effect.rawValue, played ?? "nothing played it"] }
}

/// A light that was set.
struct ShownLight: FeedbackLine {
  var device: String
  var light: String
  var brightness = 1.0

  var row: [String] { ["full", light] }
}
