public import Varlink

extension ControlInterface {
  /// No control of that name.
  public struct NoSuchControl: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.NoSuchControl"
    /// The name of the control.
    public var control: String

    /// Its fields, in the order of the interface description.
    public init(control: String) {
      self.control = control
    }
  }

  /// The control is read-only by configuration.
  public struct NotWritable: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.NotWritable"
    /// The name of the control.
    public var control: String

    /// Its fields, in the order of the interface description.
    public init(control: String) {
      self.control = control
    }
  }

  /// The value is outside the range and `clamp` was not given.
  public struct OutOfRange: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.OutOfRange"
    /// The name of the control.
    public var control: String
    /// The value that was refused.
    public var value: Double
    /// The lower end of the range; nil: unbounded.
    public var minimum: Double?
    /// The upper end of the range; nil: unbounded.
    public var maximum: Double?

    /// Its fields, in the order of the interface description.
    public init(control: String, value: Double, minimum: Double? = nil, maximum: Double? = nil) {
      self.control = control
      self.value = value
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  /// The text names no choice of this control, or is no number.
  public struct NoSuchValue: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.NoSuchValue"
    /// The name of the control.
    public var control: String
    /// The text that was refused.
    public var text: String
    /// The names of the choices.
    public var choices: [String]?
    /// What is wrong with the text, in words.
    public var problem: String?

    /// Its fields, in the order of the interface description.
    public init(control: String, text: String, choices: [String]? = nil, problem: String? = nil) {
      self.control = control
      self.text = text
      self.choices = choices
      self.problem = problem
    }
  }

  /// The minimum would exceed the maximum, a step would not be greater than 0 or has more decimal places than the
  /// control keeps, a number is too large, or the control is not continuous.
  public struct InvalidRange: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.InvalidRange"
    /// The name of the control.
    public var control: String
    /// The minimum that was refused; nil: it was not to be changed.
    public var minimum: Double?
    /// The maximum that was refused.
    public var maximum: Double?
    /// The step that was refused.
    public var step: Double?
    /// The page that was refused.
    public var page: Double?
    /// What is wrong, in words.
    public var problem: String?

    /// Its fields, in the order of the interface description.
    public init(
      control: String, minimum: Double? = nil, maximum: Double? = nil, step: Double? = nil,
      page: Double? = nil, problem: String? = nil
    ) {
      self.control = control
      self.minimum = minimum
      self.maximum = maximum
      self.step = step
      self.page = page
      self.problem = problem
    }
  }

  /// The control was changed since `ifSequence`.
  public struct Changed: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.Changed"
    /// The name of the control.
    public var control: String
    /// The sequence number of the newest change.
    public var sequence: Int64

    /// Its fields, in the order of the interface description.
    public init(control: String, sequence: Int64) {
      self.control = control
      self.sequence = sequence
    }
  }

  /// This client or all clients together hold too many subscriptions.
  public struct TooManySubscriptions: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.TooManySubscriptions"
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
    public static let name = "org.stepperd.control.Stopping"

    /// It has no parameters.
    public init() {}
  }
}
