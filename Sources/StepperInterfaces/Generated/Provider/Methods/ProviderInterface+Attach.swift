// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// Attach a device, until Detach or the end of this connection. Everything it will report is declared here.
  /// Its keys are up, unless its first report says in `lost` that they are down.
  public enum Attach: VarlinkMethod {
    /// `org.stepperd.provider.Attach`.
    public static let name = "org.stepperd.provider.Attach"

    /// The parameters of ``Attach``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// What the device is.
      public var identity: Identity
      /// Names of the codes of its keys and buttons: `BTN_0`. Absent: none.
      public var keys: [String]?
      /// Its knobs and wheels. Absent: none.
      public var relative: [RelativeAxis]?
      /// Its faders. Absent: none.
      public var absolute: [AbsoluteAxis]?
      /// What it can show. Absent: nothing.
      public var outputs: [Output]?
      /// While a key is down, Report must be called at least this often, in milliseconds, 100 to 10000, be it
      /// without frames; else all keys are taken to be released. Absent: they are released by a report and
      /// with the connection.
      public var leaseMilliseconds: Int64?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(
        identity: Identity, keys: [String]? = nil, relative: [RelativeAxis]? = nil,
        absolute: [AbsoluteAxis]? = nil, outputs: [Output]? = nil, leaseMilliseconds: Int64? = nil
      ) {
        self.identity = identity
        self.keys = keys
        self.relative = relative
        self.absolute = absolute
        self.outputs = outputs
        self.leaseMilliseconds = leaseMilliseconds
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.identity = try members.value("identity")
        self.keys = try members.optional("keys")
        self.relative = try members.optional("relative")
        self.absolute = try members.optional("absolute")
        self.outputs = try members.optional("outputs")
        self.leaseMilliseconds = try members.optional("leaseMilliseconds")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"identity\":", identity, to: &buffer)
        try JSONText.append(",\"keys\":", keys, to: &buffer)
        try JSONText.append(",\"relative\":", relative, to: &buffer)
        try JSONText.append(",\"absolute\":", absolute, to: &buffer)
        try JSONText.append(",\"outputs\":", outputs, to: &buffer)
        JSONText.append(",\"leaseMilliseconds\":", leaseMilliseconds, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Attach``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Names the device in the calls below; opaque, and known to this caller alone.
      public var handle: String
      /// Its name, as in org.stepperd.device.
      public var device: String
      /// Name of the [device.NAME] table that matches it. Absent: none does, it is unused until the
      /// configuration is changed.
      public var table: String?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(handle: String, device: String, table: String? = nil) {
        self.handle = handle
        self.device = device
        self.table = table
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.handle = try members.value("handle")
        self.device = try members.value("device")
        self.table = try members.optional("table")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"handle\":", handle, to: &buffer)
        JSONText.append(",\"device\":", device, to: &buffer)
        JSONText.append(",\"table\":", table, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
