// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// An axis that reports movement: a knob or a wheel.
  public struct RelativeAxis: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the kernel's code: `REL_DIAL`.
    public var code: String
    /// Counts of one detent, 1 to 100000. Absent: 1. Of a wheel (`REL_WHEEL`, `REL_HWHEEL`) and its code of
    /// high resolution it is absent: these have 1 and 120.
    public var countsPerDetent: Int64?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(code: String, countsPerDetent: Int64? = nil) {
      self.code = code
      self.countsPerDetent = countsPerDetent
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.code = try members.value("code")
      self.countsPerDetent = try members.optional("countsPerDetent")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"code\":", code, to: &buffer)
      JSONText.append(",\"countsPerDetent\":", countsPerDetent, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
