extension ManagerInterface {
  /// What kind of number a metric is.
  public enum MetricType: String, Codable, Hashable, Sendable {
    /// Only grows while the daemon runs.
    case counter
    /// Goes up and down.
    case gauge
  }

  /// One number about the daemon.
  public struct Metric: Codable, Hashable, Sendable {
    /// What is counted or measured, in camel case: `eventsRead`. A unit other than one is part of the name.
    public var name: String
    /// What kind of number it is.
    public var type: MetricType
    /// What it says, in a sentence without a full stop.
    public var description: String
    /// Which of several it is about: a device by its name, a hook as `CONTROL HOOK`.
    public var object: String?
    /// Which part of the samples is at most `value`, 0…1.
    public var quantile: Double?
    /// The number.
    public var value: Double

    /// Its fields, in the order of the interface description.
    public init(
      name: String, type: MetricType, description: String, object: String? = nil, quantile: Double? = nil,
      value: Double
    ) {
      self.name = name
      self.type = type
      self.description = description
      self.object = object
      self.quantile = quantile
      self.value = value
    }
  }
}
