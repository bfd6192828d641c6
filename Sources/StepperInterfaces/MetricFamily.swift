/// A metric of a program, with one number or with several that differ in their labels.
package struct MetricFamily<Source> {
  /// In camel case, with the unit as a suffix unless it is one.
  package let name: String
  package let type: ManagerInterface.MetricType
  /// A sentence without a full stop.
  package let description: String
  /// Reads the present numbers.
  private let samples: (Source) -> [Sample]

  package struct Sample: Hashable {
    let object: String?
    /// 0…1.
    let quantile: Double?
    let value: Double

    package init(object: String? = nil, quantile: Double? = nil, value: Double) {
      (self.object, self.quantile, self.value) = (object, quantile, value)
    }
  }

  package init(
    _ name: String, _ type: ManagerInterface.MetricType, _ description: String,
    samples: @escaping (Source) -> [Sample]
  ) {
    (self.name, self.type, self.description, self.samples) = (name, type, description, samples)
  }

  /// One number that only increases; absent if nil.
  package static func counter(
    _ name: String, _ description: String, _ value: @escaping (Source) -> Int64?
  ) -> Self {
    Self(name, .counter, description) { source in value(source).map { [Sample(value: Double($0))] } ?? [] }
  }

  /// One number that increases and decreases; absent if nil.
  package static func gauge<Number: BinaryInteger>(
    _ name: String, _ description: String, _ value: @escaping (Source) -> Number?
  ) -> Self {
    Self(name, .gauge, description) { source in value(source).map { [Sample(value: Double($0))] } ?? [] }
  }

  /// A time in seconds; absent if nil.
  package static func time(
    _ name: String, _ description: String, type: ManagerInterface.MetricType = .gauge,
    _ value: @escaping (Source) -> Duration?
  ) -> Self {
    Self(name, type, description) { source in
      value(source).map { time in
        let (seconds, rest) = time.components
        return [Sample(value: Double(seconds * 1_000_000_000 + rest / 1_000_000_000) / 1e9)]
      } ?? []
    }
  }

  /// The present numbers of `source`, which is `object` unless they name what they are about.
  package func metrics(of source: Source, object: String? = nil) -> [ManagerInterface.Metric] {
    samples(source).map {
      ManagerInterface.Metric(
        name: name, type: type, description: description, object: $0.object ?? object, quantile: $0.quantile,
        value: $0.value)
    }
  }
}
