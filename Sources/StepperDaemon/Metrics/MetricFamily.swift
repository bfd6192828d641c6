import StepperCore
import StepperInterfaces

/// A metric of the daemon, with one value or with several that differ in their labels.
struct MetricFamily {
  /// In camel case, with the unit as a suffix unless it is one.
  var name: String
  var type: ManagerInterface.MetricType
  /// A sentence without a full stop.
  var description: String
  /// Reads the present values.
  var samples: (Daemon) -> [Sample]

  struct Sample: Hashable {
    var object: String?
    /// 0…1.
    var quantile: Double?
    var value: Double
  }

  /// One number that only increases.
  static func counter(_ name: String, _ description: String, _ value: @escaping (Daemon) -> Int64) -> Self {
    Self(name: name, type: .counter, description: description) { [Sample(value: Double(value($0)))] }
  }

  /// One number that increases and decreases.
  static func gauge(
    _ name: String, _ description: String, _ value: @escaping (Daemon) -> some BinaryInteger
  ) -> Self {
    Self(name: name, type: .gauge, description: description) { [Sample(value: Double(value($0)))] }
  }

  /// A time in seconds; absent if nil.
  static func time(_ name: String, _ description: String, _ value: @escaping (Daemon) -> Duration?) -> Self {
    Self(name: name, type: .gauge, description: description) { daemon in
      value(daemon).map { [Sample(value: Double($0.nanoseconds) / 1e9)] } ?? []
    }
  }

  /// A counter of each configured device.
  static func ofDevices(
    _ name: String, _ description: String, _ value: @escaping (DeviceEntry) -> Int64
  ) -> Self {
    Self(name: name, type: .counter, description: description) { daemon in
      daemon.devices.entries.filter { $0.configuration != nil }.map { entry in
        Sample(object: entry.name, value: Double(value(entry)))
      }
    }
  }

  /// A counter of each hook, named `CONTROL HOOK`, or `HOOK` for the whole board.
  static func ofHooks(
    _ name: String, _ description: String, _ value: @escaping (HookCounters) -> Int64
  ) -> Self {
    Self(name: name, type: .counter, description: description) { daemon in
      daemon.feedback.hooks.counters.sorted { $0.key < $1.key }.map { hook, counters in
        Sample(object: hook, value: Double(value(counters)))
      }
    }
  }
}
