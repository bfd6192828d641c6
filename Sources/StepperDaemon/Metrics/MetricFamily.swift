import StepperInterfaces

/// A number about the daemon, or several of one name that differ in what they are about.
struct MetricFamily {
  /// In camel case; a unit other than one is part of it.
  var name: String
  var type: ManagerInterface.MetricType
  /// A sentence without a full stop.
  var description: String
  /// Reads the numbers at present.
  var samples: (Daemon) -> [Sample]

  struct Sample: Hashable {
    var object: String?
    /// 0…1.
    var quantile: Double?
    var value: Double
  }

  /// One number that only grows.
  static func counter(_ name: String, _ description: String, _ value: @escaping (Daemon) -> Int64) -> Self {
    Self(name: name, type: .counter, description: description) { [Sample(value: Double(value($0)))] }
  }

  /// One number that goes up and down.
  static func gauge(_ name: String, _ description: String, _ value: @escaping (Daemon) -> Int64) -> Self {
    Self(name: name, type: .gauge, description: description) { [Sample(value: Double(value($0)))] }
  }

  /// A counter of each device that the configuration names.
  static func ofDevices(
    _ name: String, _ description: String, _ value: @escaping (DeviceEntry) -> Int64
  ) -> Self {
    Self(name: name, type: .counter, description: description) { daemon in
      daemon.devices.entries.filter { $0.configuration != nil }.map { entry in
        Sample(object: entry.name, value: Double(value(entry)))
      }
    }
  }

  /// A counter of the server.
  static func ofServer(
    _ name: String, _ description: String, _ value: @escaping (ServerCounters) -> Int64
  ) -> Self {
    .counter(name, description) { value($0.server.counters) }
  }

  /// A counter of each hook.
  static func ofHooks(
    _ name: String, _ description: String, _ value: @escaping (HookCounters) -> Int64
  ) -> Self {
    Self(name: name, type: .counter, description: description) { daemon in
      daemon.feedback.hooks.countersByHook.map { hook, counters in
        Sample(object: hook, value: Double(value(counters)))
      }
    }
  }
}
