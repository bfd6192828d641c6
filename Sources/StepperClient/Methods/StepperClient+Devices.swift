internal import StepperCore
public import StepperInterfaces

/// Listing the devices, and moving the inputs of virtual ones.
extension StepperClient {
  /// The devices of the machine and of the configuration; those in use come first.
  public func devices() async throws(StepperClientError) -> [DeviceInterface.Device] {
    try await call(DeviceInterface.List.self, .init()).devices
  }

  /// Turns an encoder of a virtual device by `detents`, clockwise if positive.
  public func turn(_ input: InputName, by detents: Int64) async throws(StepperClientError) {
    _ = try await call(
      DeviceInterface.Turn.self, .init(device: input.device, input: input.input, detents: detents))
  }

  /// Presses a button of a virtual device, and holds it until ``StepperClient/release(_:)``, until `lease` has
  /// passed, or until this client's connection ends. If the button is held already, only its lease is renewed.
  public func press(_ input: InputName, lease: Duration? = nil) async throws(StepperClientError) {
    _ = try await call(
      DeviceInterface.Press.self,
      .init(device: input.device, input: input.input, leaseMilliseconds: lease?.milliseconds))
  }

  /// Releases a button that this client holds; no error if it does not hold the button.
  public func release(_ input: InputName) async throws(StepperClientError) {
    _ = try await call(DeviceInterface.Release.self, .init(device: input.device, input: input.input))
  }

  /// Presses a button of a virtual device for `milliseconds`, or for the daemon's default time if nil. Returns at
  /// once.
  public func click(_ input: InputName, milliseconds: Int64? = nil) async throws(StepperClientError) {
    _ = try await call(
      DeviceInterface.Click.self,
      .init(device: input.device, input: input.input, milliseconds: milliseconds))
  }

  /// Moves an axis of a virtual device to `position`, 0 to 1 of its travel.
  public func move(_ input: InputName, to position: Double) async throws(StepperClientError) {
    _ = try await call(
      DeviceInterface.Move.self, .init(device: input.device, input: input.input, position: position))
  }
}
