// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Change by a number of steps or pages, without acceleration. `applied` is the number of whole or partial
  /// steps that moved the value; it is smaller than asked for at the end of the range. A toggle flips with
  /// every step.
  public enum Step: VarlinkMethod {
    /// `org.stepperd.control.Step`.
    public static let name = "org.stepperd.control.Step"

    /// The parameters of ``Step``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// How many, negative to decrement.
      public var steps: Int64
      /// How far one step of Step goes.
      public var unit: StepUnit?
      /// Whether the reply has the description, too. Absent: it does not.
      public var describe: Bool?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(control: String, steps: Int64, unit: StepUnit? = nil, describe: Bool? = nil) {
        self.control = control
        self.steps = steps
        self.unit = unit
        self.describe = describe
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.steps = try members.value("steps")
        self.unit = try members.optional("unit")
        self.describe = try members.optional("describe")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        JSONText.append(",\"steps\":", steps, to: &buffer)
        try JSONText.append(",\"unit\":", unit, to: &buffer)
        JSONText.append(",\"describe\":", describe, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Step``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The present state of one control.
      public var state: State
      /// How many whole or partial steps moved the value.
      public var applied: Int64
      /// The description of the control, if it was to `describe`.
      public var description: Description?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(state: State, applied: Int64, description: Description? = nil) {
        self.state = state
        self.applied = applied
        self.description = description
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.state = try members.value("state")
        self.applied = try members.value("applied")
        self.description = try members.optional("description")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"state\":", state, to: &buffer)
        JSONText.append(",\"applied\":", applied, to: &buffer)
        try JSONText.append(",\"description\":", description, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
