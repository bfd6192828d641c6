// Made by Scripts/generate from StepperClient+Devices.swift: its blocking forms; do not edit.

public import StepperInterfaces

/// The devices, and moving the inputs of virtual ones.
extension StepperClient {
  /// The devices of the machine and of the configuration, the used ones first.
  public func devices() throws(StepperClientError) -> [DeviceInterface.Device] {
    try call(DeviceInterface.List.self, .init()).devices
  }

  /// Turns an encoder of a virtual device by `detents`, clockwise if positive.
  public func turn(_ input: InputName, by detents: Int64) throws(StepperClientError) {
    _ = try call(
      DeviceInterface.Turn.self, .init(device: input.device, input: input.input, detents: detents))
  }

  /// Presses a button of a virtual device, and holds it until it is released by ``StepperClient/release(_:)`` or
  /// this client's connection ends.
  public func press(_ input: InputName) throws(StepperClientError) {
    _ = try call(DeviceInterface.Press.self, .init(device: input.device, input: input.input))
  }

  /// Releases a button that this client holds; no error if it holds none.
  public func release(_ input: InputName) throws(StepperClientError) {
    _ = try call(DeviceInterface.Release.self, .init(device: input.device, input: input.input))
  }

  /// Presses a button of a virtual device for `milliseconds`, else for the daemon's default. It returns
  /// at once.
  public func click(_ input: InputName, milliseconds: Int64? = nil) throws(StepperClientError) {
    _ = try call(
      DeviceInterface.Click.self,
      .init(device: input.device, input: input.input, milliseconds: milliseconds))
  }

  /// Moves an axis of a virtual device to `position`, 0 to 1 of its travel.
  public func move(_ input: InputName, to position: Double) throws(StepperClientError) {
    _ = try call(
      DeviceInterface.Move.self, .init(device: input.device, input: input.input, position: position))
  }
}
