/// `org.stepperd.control`: named values driven by knobs, buttons and switches.
public enum ControlInterface {
  /// The name of the interface.
  public static let name = "org.stepperd.control"

  /// What sort of value a control holds. New kinds may be added; clients must treat an unknown kind as
  /// `continuous`.
  public enum Kind: String, Codable, Hashable, Sendable {
    case continuous, choice, toggle, button
  }

  /// Why a value has its present value. New origins may be added.
  public enum Origin: String, Codable, Hashable, Sendable {
    case startup, restored, device, client, configuration
  }

  /// Which end of its range a value stands at.
  public enum Limit: String, Codable, Hashable, Sendable {
    case none, minimum, maximum, both
  }

  /// How far one step of Step goes. Absent means `step`.
  public enum StepUnit: String, Codable, Hashable, Sendable {
    case step, page
  }

  /// What does not change while the configuration does not change and nobody calls Adjust.
  public struct Description: Codable, Hashable, Sendable {
    /// Stable name, [a-z0-9._-]+, at most 64 bytes.
    public var control: String
    /// What sort of value it holds.
    public var kind: Kind
    /// Name of the profile it takes its feel from, for example `gtk`.
    public var profile: String
    /// Human readable title, if one is configured.
    public var title: String?
    /// The title by language tag (`de`, `pt-BR`), where it is translated.
    public var titles: [String: String]?
    /// Unit of `value`, for display only, for example `dB` or `%`.
    public var unit: String?
    /// Range of `value`, both ends included. Absent: unbounded on that side.
    public var minimum: Double?
    /// The upper end of the range; nil: unbounded.
    public var maximum: Double?
    /// Change of `value` for one step.
    public var step: Double?
    /// Change of `value` for one page (large step).
    public var page: Double?
    /// Digits after the decimal point in `text`.
    public var digits: Int?
    /// How a client writes the value for people.
    public var format: NumberFormat
    /// Names of the choices, in order; the index in this list is `value`.
    public var choices: [String]?
    /// Whether stepping past one end continues at the other.
    public var wrap: Bool
    /// Whether the caller may use Set, Step and Reset on it.
    public var writable: Bool
    /// Value that Reset goes back to.
    public var `default`: Double?
    /// Whether a text that is set may be an expression; nil: it may not.
    public var expressions: Bool?

    /// Its fields, in the order of the interface description.
    public init(
      control: String, kind: Kind, profile: String, title: String? = nil, titles: [String: String]? = nil,
      unit: String? = nil, minimum: Double? = nil, maximum: Double? = nil, step: Double? = nil,
      page: Double? = nil, digits: Int? = nil, format: NumberFormat = NumberFormat(),
      choices: [String]? = nil, wrap: Bool, writable: Bool, default: Double? = nil,
      expressions: Bool? = nil
    ) {
      self.control = control
      self.kind = kind
      self.profile = profile
      self.title = title
      self.titles = titles
      self.unit = unit
      self.minimum = minimum
      self.maximum = maximum
      self.step = step
      self.page = page
      self.digits = digits
      self.format = format
      self.choices = choices
      self.wrap = wrap
      self.writable = writable
      self.default = `default`
      self.expressions = expressions
    }
  }

  /// The present state of one control. Every field is a level or a counter, none is an event, so a reader
  /// that skips intermediate states loses no information but the timing.
  public struct State: Codable, Hashable, Sendable {
    /// The name of the control.
    public var control: String
    /// Numeric value: the double nearest the exact decimal, never accumulated. A toggle or button has 0 or
    /// 1, a choice has its index. Absent: unset.
    public var value: Double?
    /// The same value as text in the C locale: decimal with the configured digits, or the choice's name, or
    /// `on` and `off`. Absent: unset.
    public var text: String?
    /// The end of its range that it stands at.
    public var limit: Limit
    /// Why it has the value it has.
    public var origin: Origin
    /// Whether at least one device feeding this control is connected.
    public var live: Bool
    /// Detents turned since the daemon started, clockwise positive, also those which had no effect at the
    /// end of the range. Only ever a sum: take differences.
    public var turned: Int64
    /// How often its push button was pressed since the daemon started.
    public var presses: Int64
    /// Whether its push button is pressed now.
    public var pressed: Bool
    /// Whether a gesture is in progress: a button is held, a knob is being turned or a fader moved.
    public var editing: Bool
    /// Whether a press would do anything: what a program draws as an enabled button.
    public var canIncrement: Bool
    /// Whether a press that decrements would do anything.
    public var canDecrement: Bool
    /// Sequence number of the last change of this control.
    public var sequence: Int64
    /// CLOCK_MONOTONIC time of that change in microseconds (input event time if the change came from a
    /// device).
    public var monotonicMicroseconds: Int64

    /// Its fields, in the order of the interface description.
    public init(
      control: String, value: Double? = nil, text: String? = nil, limit: Limit, origin: Origin, live: Bool,
      turned: Int64, presses: Int64, pressed: Bool, editing: Bool, canIncrement: Bool, canDecrement: Bool,
      sequence: Int64, monotonicMicroseconds: Int64
    ) {
      self.control = control
      self.value = value
      self.text = text
      self.limit = limit
      self.origin = origin
      self.live = live
      self.turned = turned
      self.presses = presses
      self.pressed = pressed
      self.editing = editing
      self.canIncrement = canIncrement
      self.canDecrement = canDecrement
      self.sequence = sequence
      self.monotonicMicroseconds = monotonicMicroseconds
    }
  }

  /// Description and state of one control.
  public struct Control: Codable, Hashable, Sendable {
    /// What it is.
    public var description: Description
    /// How it stands.
    public var state: State

    /// Its fields, in the order of the interface description.
    public init(description: Description, state: State) {
      self.description = description
      self.state = state
    }
  }
}
