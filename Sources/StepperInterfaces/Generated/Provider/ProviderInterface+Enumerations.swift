// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// What an output of a device can do. More kinds may be added; daemons ignore those they do not know.
  public struct OutputKind: RawRepresentable, Hashable, Sendable, JSONReadable, JSONWritable {
    /// The word on the wire.
    public let rawValue: String

    /// The one of that word, which may be one that is not known here.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It plays effects: a motor that vibrates. A device has one at most.
    public static let effect = Self(rawValue: "effect")
    /// It has a brightness.
    public static let light = Self(rawValue: "light")
    /// It moves an absolute axis: a motor fader, a ring of LEDs around a knob.
    public static let position = Self(rawValue: "position")
    /// It makes the detents and the ends of a relative axis: a knob with a motor.
    public static let detents = Self(rawValue: "detents")
    /// It shows the control that an input drives: a small display.
    public static let text = Self(rawValue: "text")
  }

  /// What something feels like, in the words of UIKit's feedback generators. More effects may be added;
  /// providers should treat an unknown effect as `light`.
  public enum Effect: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case light, medium, heavy, soft, rigid, selection, success, warning, error

    /// Reads any text; a word that is not known here is ``light``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .light
    }
  }

  /// Whether a value is at an end of its range.
  public enum Limit: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case none, minimum, maximum, both
  }
}
