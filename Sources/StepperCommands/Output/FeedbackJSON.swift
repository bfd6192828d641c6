internal import StepperClient
internal import Varlink

/// An effect that was asked for, in JSON.
struct PlayedEffect {
  var device: String
  var effect: DeviceInterface.Effect
  /// The output that plays it.
  var played: String?

  var json: JSONObject { ["device": device, "effect": effect, "played": played] }
  /// As columns.
  var row: [String] { [effect.rawValue, played ?? "nothing played it"] }
}

/// A light that was set, in JSON.
struct ShownLight {
  var device: String
  var light: String

  var json: JSONObject { ["brightness": 1.0, "device": device, "light": light] }
}
