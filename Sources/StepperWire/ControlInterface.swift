/// `org.stepperd.control`: named values. The field docs are in the interface description.
public enum ControlInterface {
  public static let name = "org.stepperd.control"

  public enum Kind: String, Codable, Hashable, Sendable {
    case continuous, choice, toggle, button
  }

  public enum Origin: String, Codable, Hashable, Sendable {
    case startup, restored, device, client, configuration
  }

  public enum Limit: String, Codable, Hashable, Sendable {
    case none, minimum, maximum, both
  }

  public enum StepUnit: String, Codable, Hashable, Sendable {
    case step, page
  }

  /// What does not change while the configuration does not change.
  public struct Description: Codable, Hashable, Sendable {
    public var control: String
    public var kind: Kind
    public var title: String?
    public var unit: String?
    public var minimum: Double?
    public var maximum: Double?
    public var step: Double?
    public var page: Double?
    public var digits: Int?
    public var choices: [String]?
    public var wrap: Bool
    public var writable: Bool
    public var `default`: Double?

    public init(
      control: String, kind: Kind, title: String? = nil, unit: String? = nil, minimum: Double? = nil,
      maximum: Double? = nil, step: Double? = nil, page: Double? = nil, digits: Int? = nil,
      choices: [String]? = nil, wrap: Bool, writable: Bool, default: Double? = nil
    ) {
      self.control = control
      self.kind = kind
      self.title = title
      self.unit = unit
      self.minimum = minimum
      self.maximum = maximum
      self.step = step
      self.page = page
      self.digits = digits
      self.choices = choices
      self.wrap = wrap
      self.writable = writable
      self.default = `default`
    }
  }

  /// The present state of one control: levels and counters, never events.
  public struct State: Codable, Hashable, Sendable {
    public var control: String
    /// nil: unset.
    public var value: Double?
    public var text: String?
    public var limit: Limit
    public var origin: Origin
    public var live: Bool
    public var turned: Int64
    public var presses: Int64
    public var pressed: Bool
    public var sequence: Int64
    public var monotonicMicroseconds: Int64

    public init(
      control: String, value: Double? = nil, text: String? = nil, limit: Limit, origin: Origin, live: Bool,
      turned: Int64, presses: Int64, pressed: Bool, sequence: Int64, monotonicMicroseconds: Int64
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
      self.sequence = sequence
      self.monotonicMicroseconds = monotonicMicroseconds
    }
  }

  public struct Control: Codable, Hashable, Sendable {
    public var description: Description
    public var state: State

    public init(description: Description, state: State) {
      self.description = description
      self.state = state
    }
  }
}
