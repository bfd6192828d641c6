public import StepperInterfaces

/// The devices, and moving the inputs of virtual ones.
extension StepperClient {
  /// The devices of the machine and of the configuration, the used ones first.
  public func devices() async throws(StepperClientError) -> [DeviceInterface.Device] {
    try await call(DeviceInterface.List.self, .init()).devices
  }

  /// Turns an encoder of a virtual device by `detents`, clockwise if positive.
  public func turn(_ input: InputName, by detents: Int64) async throws(StepperClientError) {
    _ = try await call(
      DeviceInterface.Turn.self, .init(device: input.device, input: input.input, detents: detents))
  }

  /// Presses a button of a virtual device, and holds it until it is released by ``StepperClient/release(_:)`` or
  /// this client's connection ends.
  public func press(_ input: InputName) async throws(StepperClientError) {
    _ = try await call(DeviceInterface.Press.self, .init(device: input.device, input: input.input))
  }

  /// Releases a button that this client holds; no error if it holds none.
  public func release(_ input: InputName) async throws(StepperClientError) {
    _ = try await call(DeviceInterface.Release.self, .init(device: input.device, input: input.input))
  }

  /// Presses a button of a virtual device for `milliseconds`, else for the daemon's default. It returns
  /// at once.
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
