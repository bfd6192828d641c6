// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// What sort of value a control holds. New kinds may be added; clients must treat an unknown kind as
  /// `continuous`.
  public enum Kind: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case continuous, choice, toggle, button

    /// Reads any text; a word that is not known here is ``continuous``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .continuous
    }
  }

  /// Why a value has its present value. New origins may be added; clients should treat an unknown origin as
  /// `configuration`. `idle`: no input of the control was touched for its `reset-after`, and the value is its
  /// default again.
  public enum Origin: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case startup, restored, device, client, configuration, idle

    /// Reads any text; a word that is not known here is ``configuration``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .configuration
    }
  }

  /// Which end of its range a value stands at.
  public enum Limit: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case none, minimum, maximum, both
  }

  /// How far one step of Step goes. Absent means `step`.
  public enum StepUnit: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case step, page
  }

  /// How a client writes the value for people. New styles may be added; clients must treat an unknown style
  /// as `decimal`.
  public enum NumberStyle: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case decimal, percent, currency

    /// Reads any text; a word that is not known here is ``decimal``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .decimal
    }
  }

  /// Who makes a gesture. New origins may be added; clients should treat an unknown one as `device`.
  public enum EditingOrigin: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case device, client

    /// Reads any text; a word that is not known here is ``device``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .device
    }
  }

  /// What Press presses: a button with that action in the configuration.
  public enum Action: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    /// One step up, and more of them while it is held, as the control's options say.
    case increment
    /// One step down, and more of them while it is held.
    case decrement
    /// One page up, and more of them while it is held.
    case pageIncrement
    /// One page down, and more of them while it is held.
    case pageDecrement
    /// To the lower end of the range, once.
    case toMinimum
    /// To the upper end of the range, once.
    case toMaximum
    /// Back to the configured default, once.
    case reset
    /// The push button of the control, with the actions of its first one in the configuration. Without any, a
    /// control of kind button is 1 while it is held, a toggle changes over, and any other does nothing but
    /// count it in `presses`.
    case push
  }

  /// What a control is to a screen reader. New roles may be added; clients must treat an unknown role as
  /// `stepper`.
  public enum AccessibilityRole: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case stepper, incrementor, spinner, slider, picker, `switch`, button

    /// Reads any text; a word that is not known here is ``stepper``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .stepper
    }
  }

  /// Whether a change is to be announced by itself. `polite` waits for a pause.
  public enum Announcement: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case off, polite
  }

  /// Whose phrases a screen reader uses for a control. New styles may be added; clients must treat an unknown
  /// style as `uikit`.
  public enum AccessibilityStyle: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case uikit, appkit, winui, gtk, slider

    /// Reads any text; a word that is not known here is ``uikit``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .uikit
    }
  }

  /// A moment of a control that can be felt. New ones may be added; clients must ignore those they do not
  /// know.
  public struct Moment: RawRepresentable, Hashable, Sendable, JSONReadable, JSONWritable {
    /// The word on the wire.
    public let rawValue: String

    /// The one of that word, which may be one that is not known here.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The value went up.
    public static let increment = Self(rawValue: "increment")
    /// The value went down.
    public static let decrement = Self(rawValue: "decrement")
    /// A step moved nothing, because the value stands at an end of the range.
    public static let limit = Self(rawValue: "limit")
    /// The value reached the lower end of the range.
    public static let minimum = Self(rawValue: "minimum")
    /// The value reached the upper end of the range.
    public static let maximum = Self(rawValue: "maximum")
    /// A step went past one end of the range to the other.
    public static let wrap = Self(rawValue: "wrap")
    /// A button went down.
    public static let press = Self(rawValue: "press")
    /// A button went up.
    public static let release = Self(rawValue: "release")
    /// The button of a knob was pressed once, and neither turned nor held for long; where double presses are
    /// configured, after the time for another press.
    public static let shortPress = Self(rawValue: "shortPress")
    /// The button of a knob was pressed twice in a row. Configured controls only.
    public static let doublePress = Self(rawValue: "doublePress")
    /// The button of a knob was pressed three times in a row. Configured controls only.
    public static let triplePress = Self(rawValue: "triplePress")
    /// The button of a knob has been down for long.
    public static let longPress = Self(rawValue: "longPress")
    /// The value went back to the configured default.
    public static let reset = Self(rawValue: "reset")
    /// A client set the value.
    public static let set = Self(rawValue: "set")
    /// The first device that feeds the control was connected.
    public static let connect = Self(rawValue: "connect")
    /// The last device that feeds the control was disconnected.
    public static let disconnect = Self(rawValue: "disconnect")
    /// A gesture ended.
    public static let end = Self(rawValue: "end")
    /// No input of the control was touched for its `reset-after`.
    public static let idle = Self(rawValue: "idle")
  }

  /// What a moment feels like, in the words of UIKit's feedback generators. New effects may be added; clients
  /// should treat an unknown effect as `light`.
  public enum FeedbackEffect: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case none, light, medium, heavy, soft, rigid, selection, success, warning, error

    /// Reads any text; a word that is not known here is ``light``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .light
    }
  }
}
