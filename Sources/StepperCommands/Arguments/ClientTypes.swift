// A conformance of a public type is public, and so are the imports of its protocol and its type.
public import ArgumentParser
public import StepperClient

/// `DEVICE:INPUT`.
extension InputName: ExpressibleByArgument {
  /// Nil for a text without an input or a device.
  public init?(argument: String) { self.init(argument) }
}

/// The name of an effect.
extension DeviceInterface.Effect: ExpressibleByArgument {}
