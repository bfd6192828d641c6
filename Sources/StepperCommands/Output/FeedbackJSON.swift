internal import StepperClient

/// An effect that was asked for, in JSON.
struct PlayedEffect: Encodable {
  var device: String
  var effect: DeviceInterface.Effect
  /// The output that plays it.
  var played: String?

  /// As columns.
  var row: [String] { [effect.rawValue, played ?? "nothing played it"] }
}

/// A light that was set, in JSON.
struct ShownLight: Encodable {
  var device: String
  var light: String
  var brightness = 1.0
}
