// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// No control of that name.
  public struct NoSuchControl: VarlinkError {
    /// `org.stepperd.control.NoSuchControl`.
    public static let name = "org.stepperd.control.NoSuchControl"
    /// The name that was asked for.
    public var control: String

    /// Takes every field.
    public init(control: String) {
      self.control = control
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The control is read-only by configuration.
  public struct NotWritable: VarlinkError {
    /// `org.stepperd.control.NotWritable`.
    public static let name = "org.stepperd.control.NotWritable"
    /// Stable name, [a-z0-9._-]+, at most 64 bytes.
    public var control: String

    /// Takes every field.
    public init(control: String) {
      self.control = control
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The value is outside the range and `clamp` was not given.
  public struct OutOfRange: VarlinkError {
    /// `org.stepperd.control.OutOfRange`.
    public static let name = "org.stepperd.control.OutOfRange"
    /// Stable name, [a-z0-9._-]+, at most 64 bytes.
    public var control: String
    /// The value that was refused.
    public var value: Double
    /// Lower end of the range of `value`, included. Absent: unbounded.
    public var minimum: Double?
    /// Upper end of the range of `value`, included. Absent: unbounded.
    public var maximum: Double?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(control: String, value: Double, minimum: Double? = nil, maximum: Double? = nil) {
      self.control = control
      self.value = value
      self.minimum = minimum
      self.maximum = maximum
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      self.value = try members.value("value")
      self.minimum = try members.optional("minimum")
      self.maximum = try members.optional("maximum")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      try JSONText.append(",\"value\":", value, to: &buffer)
      try JSONText.append(",\"minimum\":", minimum, to: &buffer)
      try JSONText.append(",\"maximum\":", maximum, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The text names no choice of this control, or is no number. `problem` says what is wrong with it, in
  /// words.
  public struct NoSuchValue: VarlinkError {
    /// `org.stepperd.control.NoSuchValue`.
    public static let name = "org.stepperd.control.NoSuchValue"
    /// Stable name, [a-z0-9._-]+, at most 64 bytes.
    public var control: String
    /// The text that was refused.
    public var text: String
    /// Names of the choices, in order; the index in this list is `value`.
    public var choices: [String]?
    /// What is wrong, in words.
    public var problem: String?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(control: String, text: String, choices: [String]? = nil, problem: String? = nil) {
      self.control = control
      self.text = text
      self.choices = choices
      self.problem = problem
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      self.text = try members.value("text")
      self.choices = try members.optional("choices")
      self.problem = try members.optional("problem")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      JSONText.append(",\"text\":", text, to: &buffer)
      try JSONText.append(",\"choices\":", choices, to: &buffer)
      JSONText.append(",\"problem\":", problem, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The minimum would exceed the maximum, a step would not be greater than 0 or has more decimal places than
  /// the control keeps, a number is too large, or the control is not continuous. `problem` says which, in
  /// words.
  public struct InvalidRange: VarlinkError {
    /// `org.stepperd.control.InvalidRange`.
    public static let name = "org.stepperd.control.InvalidRange"
    /// Stable name, [a-z0-9._-]+, at most 64 bytes.
    public var control: String
    /// The minimum that was refused. Absent: it was not to be changed.
    public var minimum: Double?
    /// The maximum that was refused. Absent: it was not to be changed.
    public var maximum: Double?
    /// The step that was refused. Absent: it was not to be changed.
    public var step: Double?
    /// The page that was refused. Absent: it was not to be changed.
    public var page: Double?
    /// What is wrong, in words.
    public var problem: String?

    /// Takes every field; one that may be absent is absent unless it is given.
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

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      self.minimum = try members.optional("minimum")
      self.maximum = try members.optional("maximum")
      self.step = try members.optional("step")
      self.page = try members.optional("page")
      self.problem = try members.optional("problem")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      try JSONText.append(",\"minimum\":", minimum, to: &buffer)
      try JSONText.append(",\"maximum\":", maximum, to: &buffer)
      try JSONText.append(",\"step\":", step, to: &buffer)
      try JSONText.append(",\"page\":", page, to: &buffer)
      JSONText.append(",\"problem\":", problem, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The control was changed since `ifSequence`.
  public struct Changed: VarlinkError {
    /// `org.stepperd.control.Changed`.
    public static let name = "org.stepperd.control.Changed"
    /// Stable name, [a-z0-9._-]+, at most 64 bytes.
    public var control: String
    /// Sequence number of the last change of this control.
    public var sequence: Int64

    /// Takes every field.
    public init(control: String, sequence: Int64) {
      self.control = control
      self.sequence = sequence
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      self.sequence = try members.value("sequence")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      JSONText.append(",\"sequence\":", sequence, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// This connection holds a button or fader of that name already.
  public struct HoldInUse: VarlinkError {
    /// `org.stepperd.control.HoldInUse`.
    public static let name = "org.stepperd.control.HoldInUse"
    /// The control that it is of.
    public var control: String
    /// The name.
    public var hold: String

    /// Takes every field.
    public init(control: String, hold: String) {
      self.control = control
      self.hold = hold
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      self.hold = try members.value("hold")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      JSONText.append(",\"hold\":", hold, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// This connection holds nothing of that name of the control.
  public struct NoSuchHold: VarlinkError {
    /// `org.stepperd.control.NoSuchHold`.
    public static let name = "org.stepperd.control.NoSuchHold"
    /// The control that was named.
    public var control: String
    /// The name that was asked for.
    public var hold: String

    /// Takes every field.
    public init(control: String, hold: String) {
      self.control = control
      self.hold = hold
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      self.hold = try members.value("hold")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      JSONText.append(",\"hold\":", hold, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// This connection holds too many buttons and faders.
  public struct TooManyHolds: VarlinkError {
    /// `org.stepperd.control.TooManyHolds`.
    public static let name = "org.stepperd.control.TooManyHolds"
    /// The most there may be.
    public var limit: Int64

    /// Takes every field.
    public init(limit: Int64) {
      self.limit = limit
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.limit = try members.value("limit")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"limit\":", limit, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// This client or all clients together hold too many subscriptions. A daemon that limits connections
  /// instead does not answer this.
  public struct TooManySubscriptions: VarlinkError {
    /// `org.stepperd.control.TooManySubscriptions`.
    public static let name = "org.stepperd.control.TooManySubscriptions"
    /// The most there may be.
    public var limit: Int64

    /// Takes every field.
    public init(limit: Int64) {
      self.limit = limit
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.limit = try members.value("limit")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"limit\":", limit, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The daemon is stopping or restarting; connect again later.
  public struct Stopping: VarlinkError {
    /// `org.stepperd.control.Stopping`.
    public static let name = "org.stepperd.control.Stopping"

    /// It has no fields.
    public init() {}

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      try JSONMembers(value).end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
