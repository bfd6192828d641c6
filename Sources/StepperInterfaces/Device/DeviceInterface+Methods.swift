public import Varlink

extension DeviceInterface {
  /// All devices, the used ones first.
  public enum List: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.List"
    /// It is called with nothing.
    public typealias Parameters = NoParameters

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// The devices.
      public var devices: [Device]

      /// Its fields, in the order of the interface description.
      public init(devices: [Device]) {
        self.devices = devices
      }
    }
  }

  /// Follow devices coming and going. Must be called with `more`. The first reply holds all of them
  /// (`snapshot`: true), later ones those that changed. A device that went away is `absent`.
  public enum Subscribe: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.Subscribe"
    /// It is answered with a stream of replies.
    public static let expectsMore = true
    /// It is called with nothing.
    public typealias Parameters = NoParameters

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Whether these are all of them.
      public var snapshot: Bool
      /// The devices.
      public var devices: [Device]

      /// Its fields, in the order of the interface description.
      public init(snapshot: Bool, devices: [Device]) {
        self.snapshot = snapshot
        self.devices = devices
      }
    }
  }

  /// Turn an encoder.
  public enum Turn: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.Turn"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the device.
      public var device: String
      /// The name of the input inside the device.
      public var input: String
      /// How far, positive is clockwise.
      public var detents: Int64

      /// Its fields, in the order of the interface description.
      public init(device: String, input: String, detents: Int64) {
        self.device = device
        self.input = input
        self.detents = detents
      }
    }
    /// It answers nothing.
    public typealias Reply = NoParameters
  }

  /// Press a button, and hold it until Release or until this connection closes.
  public enum Press: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.Press"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the device.
      public var device: String
      /// The name of the input inside the device.
      public var input: String

      /// Its fields, in the order of the interface description.
      public init(device: String, input: String) {
        self.device = device
        self.input = input
      }
    }
    /// It answers nothing.
    public typealias Reply = NoParameters
  }

  /// Release a button that this connection holds; no error if it holds none.
  public enum Release: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.Release"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the device.
      public var device: String
      /// The name of the input inside the device.
      public var input: String

      /// Its fields, in the order of the interface description.
      public init(device: String, input: String) {
        self.device = device
        self.input = input
      }
    }
    /// It answers nothing.
    public typealias Reply = NoParameters
  }

  /// Short press, released after `milliseconds` (default 40, at most 60000). The reply comes at once.
  public enum Click: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.Click"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the device.
      public var device: String
      /// The name of the input inside the device.
      public var input: String
      /// How long it is pressed; nil: 40.
      public var milliseconds: Int64?

      /// Its fields, in the order of the interface description.
      public init(device: String, input: String, milliseconds: Int64? = nil) {
        self.device = device
        self.input = input
        self.milliseconds = milliseconds
      }
    }
    /// It answers nothing.
    public typealias Reply = NoParameters
  }

  /// Move an axis to `position`, 0 to 1 of its travel.
  public enum Move: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.Move"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the device.
      public var device: String
      /// The name of the input inside the device.
      public var input: String
      /// Where to, 0 to 1 of its travel.
      public var position: Double

      /// Its fields, in the order of the interface description.
      public init(device: String, input: String, position: Double) {
        self.device = device
        self.input = input
        self.position = position
      }
    }
    /// It answers nothing.
    public typealias Reply = NoParameters
  }
}
