public import Varlink

extension ControlInterface {
  /// A moment of a control that can be felt. New ones may be added; clients must ignore those they do not
  /// know.
  public struct Moment: RawRepresentable, Codable, Hashable, Sendable {
    /// The word on the wire.
    public var rawValue: String

    /// The moment of that name, which may be one that is not known here.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// What a moment feels like, in the words of UIKit's feedback generators.
  public enum FeedbackEffect: String, Codable, Hashable, Sendable {
    case none, light, medium, heavy, soft, rigid, selection, success, warning, error
  }

  /// Something that could be felt.
  public struct MomentEvent: Codable, Hashable, Sendable {
    /// The name of the control.
    public var control: String
    /// What happened.
    public var moment: Moment
    /// What the control's rules say it feels like.
    public var effect: FeedbackEffect
    /// The value after it; nil: unset.
    public var value: Double?
    /// The same as text.
    public var text: String?
    /// What to say of it: label, value, and the end of the range it stands at.
    public var speech: String
    /// The device that brought it about; nil: a client, or time alone.
    public var device: String?
    /// CLOCK_MONOTONIC time in microseconds.
    public var monotonicMicroseconds: Int64

    /// Its fields, in the order of the interface description.
    public init(
      control: String, moment: Moment, effect: FeedbackEffect, value: Double? = nil, text: String? = nil,
      speech: String, device: String? = nil, monotonicMicroseconds: Int64
    ) {
      self.control = control
      self.moment = moment
      self.effect = effect
      self.value = value
      self.text = text
      self.speech = speech
      self.device = device
      self.monotonicMicroseconds = monotonicMicroseconds
    }
  }

  /// Follow moments, to draw or sound what is felt. Must be called with `more`. Unlike Subscribe this is a
  /// stream of events: a reader that is too slow loses some.
  public enum SubscribeMoments: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.SubscribeMoments"
    /// It is answered with a stream of replies.
    public static let expectsMore = true

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// Names or shell patterns (`*` and `?`); nil: all.
      public var match: [String]?

      /// Its fields, in the order of the interface description.
      public init(match: [String]? = nil) {
        self.match = match
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What happened since the reply before, in its order.
      public var moments: [MomentEvent]
      /// How many were lost since the reply before.
      public var dropped: Int64

      /// Its fields, in the order of the interface description.
      public init(moments: [MomentEvent], dropped: Int64) {
        self.moments = moments
        self.dropped = dropped
      }
    }
  }
}

extension ControlInterface.Moment {
  /// The value went up.
  public static let increment = Self(rawValue: "increment")
  /// The value went down.
  public static let decrement = Self(rawValue: "decrement")
  /// A step that moved nothing, because the value stands at an end.
  public static let limit = Self(rawValue: "limit")
  /// The value reached its lower end.
  public static let minimum = Self(rawValue: "minimum")
  /// The value reached its upper end.
  public static let maximum = Self(rawValue: "maximum")
  /// A step went past one end to the other.
  public static let wrap = Self(rawValue: "wrap")
  /// A button went down.
  public static let press = Self(rawValue: "press")
  /// A button went up.
  public static let release = Self(rawValue: "release")
  /// The knob's button has been down for long.
  public static let longPress = Self(rawValue: "longPress")
  /// The value went back to its initial one.
  public static let reset = Self(rawValue: "reset")
  /// A client set the value.
  public static let set = Self(rawValue: "set")
  /// The first device that drives it was connected.
  public static let connect = Self(rawValue: "connect")
  /// The last device that drives it is gone.
  public static let disconnect = Self(rawValue: "disconnect")
  /// A gesture ended.
  public static let end = Self(rawValue: "end")
}
