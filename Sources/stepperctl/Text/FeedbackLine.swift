internal import StepperClient

/// Something that was played or shown: an object in JSON, else two columns.
protocol FeedbackLine: Encodable {
  /// What was done, and where.
  var row: [String] { get }
}

extension FeedbackLine {
  /// Writes it, in columns that are wide enough for what was written before.
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
