public import Varlink

extension DeviceInterface {
  /// No device of that name is configured.
  public struct NoSuchDevice: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.NoSuchDevice"
    /// The name of the device.
    public var device: String

    /// Its fields, in the order of the interface description.
    public init(device: String) {
      self.device = device
    }
  }

  /// The device has no input of that name, or not of the kind the method needs.
  public struct NoSuchInput: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.NoSuchInput"
    /// The name of the device.
    public var device: String
    /// The name of the input inside the device.
    public var input: String
    /// The inputs it has.
    public var inputs: [String]

    /// Its fields, in the order of the interface description.
    public init(device: String, input: String, inputs: [String]) {
      self.device = device
      self.input = input
      self.inputs = inputs
    }
  }

  /// The device has no output or light of that name, or none at all.
  public struct NoSuchOutput: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.NoSuchOutput"
    /// The name of the device.
    public var device: String
    /// The name that was asked for.
    public var output: String
    /// The names there are.
    public var outputs: [String]

    /// Its fields, in the order of the interface description.
    public init(device: String, output: String, outputs: [String]) {
      self.device = device
      self.output = output
      self.outputs = outputs
    }
  }

  /// Only virtual devices can be moved by a program.
  public struct NotVirtual: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.NotVirtual"
    /// The name of the device.
    public var device: String

    /// Its fields, in the order of the interface description.
    public init(device: String) {
      self.device = device
    }
  }

  /// This client or all clients together hold too many subscriptions.
  public struct TooManySubscriptions: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.TooManySubscriptions"
    /// The most there may be.
    public var limit: Int64

    /// Its fields, in the order of the interface description.
    public init(limit: Int64) {
      self.limit = limit
    }
  }

  /// The daemon is stopping or restarting; connect again later.
  public struct Stopping: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.Stopping"

    /// It has no parameters.
    public init() {}
  }
}
