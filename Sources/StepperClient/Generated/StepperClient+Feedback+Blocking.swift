// Made by Scripts/generate from StepperClient+Feedback.swift: its blocking forms; do not edit.

public import StepperInterfaces

/// Playing effects and setting lights of devices.
extension StepperClient {
  /// Plays `effect` on `output` of `device`, or on its best output, and does not wait for the end of the effect,
  /// which comes within 0.6 seconds.
  ///
  /// Returns the name of the output that plays it; nil: none, because another effect was being played there. Throws
  /// `noSuchOutput` if the device has no output of that name, or none at all.
  @discardableResult
  public func playEffect(
    _ effect: DeviceInterface.Effect, on device: String, output: String? = nil
  ) throws(StepperClientError) -> String? {
    try call(
      DeviceInterface.PlayEffect.self, .init(device: device, effect: effect, output: output)
    ).played
  }

  /// Shows `brightness`, 0 to 1, at `light` of `device`, until this client sets another one or its connection ends.
  ///
  /// After that the light is as another client set it before, or follows its control again, or goes out;
  /// ``StepperClient/close()`` gives up all lights of this client. After a lost connection, the next call connects
  /// again but does not restore the lights: set them again. Throws `noSuchOutput` if the device has no light of that
  /// name, or none at all.
  public func setLight(
    _ light: String, of device: String, to brightness: Double
  ) throws(StepperClientError) {
    _ = try call(
      DeviceInterface.SetLight.self, .init(device: device, light: light, brightness: brightness))
  }
}
