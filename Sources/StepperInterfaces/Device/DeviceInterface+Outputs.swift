public import Varlink

extension DeviceInterface {
  /// What something feels like, in the words of UIKit's feedback generators.
  public enum Effect: String, Codable, CaseIterable, Hashable, Sendable {
    case light, medium, heavy, soft, rigid, selection, success, warning, error
  }

  /// Play an effect now, which ends by itself within 0.6 seconds. Without `output` the best one is taken.
  public enum PlayEffect: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.PlayEffect"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the device.
      public var device: String
      /// What to play.
      public var effect: Effect
      /// One of the device's outputs; nil: the best one.
      public var output: String?

      /// Its fields, in the order of the interface description.
      public init(device: String, effect: Effect, output: String? = nil) {
        self.device = device
        self.effect = effect
        self.output = output
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// The output that it was played on; nil: none, because another effect was being played there.
      public var played: String?

      /// Its fields, in the order of the interface description.
      public init(played: String? = nil) {
        self.played = played
      }
    }
  }

  /// Show a brightness until this connection sets another one or closes; then the light is as the connection before
  /// it set it, or follows its control again, or goes out.
  public enum SetLight: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.device.SetLight"
    /// It answers nothing.
    public typealias Reply = NoParameters

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the device.
      public var device: String
      /// One of the device's lights.
      public var light: String
      /// 0 to 1.
      public var brightness: Double

      /// Its fields, in the order of the interface description.
      public init(device: String, light: String, brightness: Double) {
        self.device = device
        self.light = light
        self.brightness = brightness
      }
    }
  }
}
