public import Varlink

extension ManagerInterface {
  /// GetStatus.
  public enum GetStatus: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.manager.GetStatus"
    /// It is called with nothing.
    public typealias Parameters = NoParameters

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
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
      /// Input event to reply written, microseconds, over the last 1024 changes.
      public var latencyMedianMicroseconds: Int64?
      /// From the input event to the reply written, the longest of the last 1024 changes.
      public var latencyMaximumMicroseconds: Int64?
      /// What does not work at present, in words.
      public var problems: [String]
      /// Everything that is counted or measured, in a fixed order.
      public var metrics: [Metric]?

      /// Its fields, in the order of the interface description.
      public init(
        version: String, instance: String, configuration: String? = nil, uptimeMicroseconds: Int64,
        sequence: Int64, controls: Int64, devices: Int64, clients: Int64, subscriptions: Int64,
        eventsRead: Int64, overruns: Int64, repliesSent: Int64, changesCoalesced: Int64, stalls: Int64,
        latencyMedianMicroseconds: Int64? = nil, latencyMaximumMicroseconds: Int64? = nil,
        problems: [String], metrics: [Metric]? = nil
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
    }
  }

  /// Read the configuration again. If it has errors nothing changes and the error is ConfigurationInvalid;
  /// `problems` holds warnings.
  public enum Reload: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.manager.Reload"
    /// It is called with nothing.
    public typealias Parameters = NoParameters

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What is wrong.
      public var problems: [Problem]

      /// Its fields, in the order of the interface description.
      public init(problems: [Problem]) {
        self.problems = problems
      }
    }
  }

  /// Check configuration text without using it.
  public enum Check: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.manager.Check"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The configuration to check, in TOML.
      public var text: String
      /// What to call it in the problems.
      public var file: String?

      /// Its fields, in the order of the interface description.
      public init(text: String, file: String? = nil) {
        self.text = text
        self.file = file
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What is wrong.
      public var problems: [Problem]

      /// Its fields, in the order of the interface description.
      public init(problems: [Problem]) {
        self.problems = problems
      }
    }
  }

  /// Write remembered values to disk now.
  public enum Save: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.manager.Save"
    /// It is called with nothing.
    public typealias Parameters = NoParameters
    /// It answers nothing.
    public typealias Reply = NoParameters
  }
}
