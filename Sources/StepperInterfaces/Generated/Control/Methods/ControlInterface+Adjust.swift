// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Change the range or the steps while running, until the next reload; absent means unchanged. What happens
  /// when the minimum would exceed the maximum, and to a value that is outside the new range, is the
  /// control's configuration (`range-conflict`, `range-change`). Ends are rounded to the control's precision;
  /// a step or page that would be is InvalidRange. Only for controls of kind continuous.
  public enum Adjust: VarlinkMethod {
    /// `org.stepperd.control.Adjust`.
    public static let name = "org.stepperd.control.Adjust"

    /// The parameters of ``Adjust``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// Lower end of the range. Absent: unchanged.
      public var minimum: Double?
      /// Upper end of the range. Absent: unchanged.
      public var maximum: Double?
      /// Change of the value for one step. Absent: unchanged.
      public var step: Double?
      /// Change of the value for one page. Absent: unchanged.
      public var page: Double?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(
        control: String, minimum: Double? = nil, maximum: Double? = nil, step: Double? = nil,
        page: Double? = nil
      ) {
        self.control = control
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.page = page
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.minimum = try members.optional("minimum")
        self.maximum = try members.optional("maximum")
        self.step = try members.optional("step")
        self.page = try members.optional("page")
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
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Adjust``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// What does not change while the configuration does not change and nobody calls Adjust.
      public var description: Description
      /// The present state of one control.
      public var state: State

      /// Takes every field.
      public init(description: Description, state: State) {
        self.description = description
        self.state = state
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.description = try members.value("description")
        self.state = try members.value("state")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"description\":", description, to: &buffer)
        try JSONText.append(",\"state\":", state, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
