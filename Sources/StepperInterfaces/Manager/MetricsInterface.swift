public import Varlink

/// `io.systemd.Metrics`: the metrics of the daemon for systemd's own collector.
public enum MetricsInterface {
  /// The name of the interface.
  public static let name = "io.systemd.Metrics"

  /// What kind of values a family of metrics has.
  public enum MetricFamilyType: String, Codable, Hashable, Sendable {
    case counter, gauge, string
  }

  /// What else tells metrics of one name apart.
  public struct Fields: Codable, Hashable, Sendable {
    /// Which part of the samples is at most the value: `0.99`.
    public var quantile: String?

    /// Its fields, in the order of the interface description.
    public init(quantile: String? = nil) { self.quantile = quantile }
  }

  /// All metrics, one reply each.
  public enum List: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "io.systemd.Metrics.List"
    /// It has a reply for each metric.
    public static let expectsMore = true
    /// It is called with nothing.
    public typealias Parameters = NoParameters

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// The name of its family: `org.stepperd.eventsRead`.
      public var name: String
      /// Which of several it is about: a device, a hook.
      public var object: String?
      /// What else tells metrics of one name apart.
      public var fields: Fields?
      /// The number.
      public var value: Double

      /// Its fields, in the order of the interface description.
      public init(name: String, object: String? = nil, fields: Fields? = nil, value: Double) {
        self.name = name
        self.object = object
        self.fields = fields
        self.value = value
      }
    }
  }

  /// What the metrics are, one reply for each name.
  public enum Describe: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "io.systemd.Metrics.Describe"
    /// It has a reply for each name.
    public static let expectsMore = true
    /// It is called with nothing.
    public typealias Parameters = NoParameters

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// `org.stepperd.eventsRead`.
      public var name: String
      /// What it says.
      public var description: String
      /// What kind of values it has.
      public var type: MetricFamilyType

      /// Its fields, in the order of the interface description.
      public init(name: String, description: String, type: MetricFamilyType) {
        self.name = name
        self.description = description
        self.type = type
      }
    }
  }

  /// There is no metric to list.
  public struct NoSuchMetric: VarlinkError {
    /// The fully qualified name.
    public static let name = "io.systemd.Metrics.NoSuchMetric"

    /// Its fields, in the order of the interface description.
    public init() {}
  }
}
