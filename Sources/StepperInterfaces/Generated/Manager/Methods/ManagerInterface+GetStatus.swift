// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

public import Varlink

extension ManagerInterface {
  /// How the daemon is doing.
  public enum GetStatus: VarlinkMethod {
    /// `org.stepperd.manager.GetStatus`.
    public static let name = "org.stepperd.manager.GetStatus"

    /// ``GetStatus`` has no parameters.
    public typealias Parameters = NoParameters

    /// The results of ``GetStatus``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The version of the daemon.
      public var version: String
      /// What sequence numbers can be compared within; opaque.
      public var instance: String
      /// The configuration in use; absent: the built-in one.
      public var configuration: String?
      /// How long the daemon has run.
      public var uptimeMicroseconds: Int64
      /// Newest sequence number of all controls.
      public var sequence: Int64
      /// Configured controls.
      public var controls: Int64
      /// Connected devices that are read, virtual ones included.
      public var devices: Int64
      /// Connected clients.
      public var clients: Int64
      /// Calls that follow controls or devices.
      public var subscriptions: Int64
      /// Input events read.
      public var eventsRead: Int64
      /// Losses reported by the kernel (SYN_DROPPED).
      public var overruns: Int64
      /// Replies written.
      public var repliesSent: Int64
      /// Changes folded into a later reply.
      public var changesCoalesced: Int64
      /// How often the daemon woke up more than 250 ms late.
      public var stalls: Int64
      /// Input event to reply written, the median of the last 1024 measured changes.
      public var latencyMedianMicroseconds: Int64?
      /// Input event to reply written, the longest of the last 1024 measured changes.
      public var latencyMaximumMicroseconds: Int64?
      /// What does not work at present, in words.
      public var problems: [String]
      /// Everything that is counted or measured, in a fixed order.
      public var metrics: [Metric]?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(
        version: String, instance: String, configuration: String? = nil, uptimeMicroseconds: Int64,
        sequence: Int64, controls: Int64, devices: Int64, clients: Int64, subscriptions: Int64,
        eventsRead: Int64, overruns: Int64, repliesSent: Int64, changesCoalesced: Int64, stalls: Int64,
        latencyMedianMicroseconds: Int64? = nil, latencyMaximumMicroseconds: Int64? = nil, problems: [String],
        metrics: [Metric]? = nil
      ) {
        self.version = version
        self.instance = instance
        self.configuration = configuration
        self.uptimeMicroseconds = uptimeMicroseconds
        self.sequence = sequence
        self.controls = controls
        self.devices = devices
        self.clients = clients
        self.subscriptions = subscriptions
        self.eventsRead = eventsRead
        self.overruns = overruns
        self.repliesSent = repliesSent
        self.changesCoalesced = changesCoalesced
        self.stalls = stalls
        self.latencyMedianMicroseconds = latencyMedianMicroseconds
        self.latencyMaximumMicroseconds = latencyMaximumMicroseconds
        self.problems = problems
        self.metrics = metrics
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.version = try members.value("version")
        self.instance = try members.value("instance")
        self.configuration = try members.optional("configuration")
        self.uptimeMicroseconds = try members.value("uptimeMicroseconds")
        self.sequence = try members.value("sequence")
        self.controls = try members.value("controls")
        self.devices = try members.value("devices")
        self.clients = try members.value("clients")
        self.subscriptions = try members.value("subscriptions")
        self.eventsRead = try members.value("eventsRead")
        self.overruns = try members.value("overruns")
        self.repliesSent = try members.value("repliesSent")
        self.changesCoalesced = try members.value("changesCoalesced")
        self.stalls = try members.value("stalls")
        self.latencyMedianMicroseconds = try members.optional("latencyMedianMicroseconds")
        self.latencyMaximumMicroseconds = try members.optional("latencyMaximumMicroseconds")
        self.problems = try members.value("problems")
        self.metrics = try members.optional("metrics")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"version\":", version, to: &buffer)
        JSONText.append(",\"instance\":", instance, to: &buffer)
        JSONText.append(",\"configuration\":", configuration, to: &buffer)
        JSONText.append(",\"uptimeMicroseconds\":", uptimeMicroseconds, to: &buffer)
        JSONText.append(",\"sequence\":", sequence, to: &buffer)
        JSONText.append(",\"controls\":", controls, to: &buffer)
        JSONText.append(",\"devices\":", devices, to: &buffer)
        JSONText.append(",\"clients\":", clients, to: &buffer)
        JSONText.append(",\"subscriptions\":", subscriptions, to: &buffer)
        JSONText.append(",\"eventsRead\":", eventsRead, to: &buffer)
        JSONText.append(",\"overruns\":", overruns, to: &buffer)
        JSONText.append(",\"repliesSent\":", repliesSent, to: &buffer)
        JSONText.append(",\"changesCoalesced\":", changesCoalesced, to: &buffer)
        JSONText.append(",\"stalls\":", stalls, to: &buffer)
        JSONText.append(",\"latencyMedianMicroseconds\":", latencyMedianMicroseconds, to: &buffer)
        JSONText.append(",\"latencyMaximumMicroseconds\":", latencyMaximumMicroseconds, to: &buffer)
        try JSONText.append(",\"problems\":", problems, to: &buffer)
        try JSONText.append(",\"metrics\":", metrics, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
