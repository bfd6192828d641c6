internal import StepperClient

/// Metrics in Prometheus' text format, version 0.0.4.
enum PrometheusText {
  /// `stepperd_up` and the metrics of `status` and `bridges`, grouped by name. `status` is nil if the daemon did not
  /// reply.
  static func of(_ status: ManagerInterface.GetStatus.Reply?, _ bridges: [ManagerInterface.Metric]) -> String
  {
    var text = family("stepperd_up", .gauge, "Whether the daemon replied")
    text += sample("stepperd_up", [:], status == nil ? 0 : 1)
    if let status {
      text += family("stepperd_info", .gauge, "Version of the daemon")
      text += sample("stepperd_info", ["version": status.version], 1)
    }
    var last = ""
    for metric in (status?.metrics ?? []) + grouped(bridges) {
      let name = self.name(of: metric)
      if name != last { text += family(name, metric.type, metric.description) }
      last = name
      var labels: [String: String] = [:]
      labels["object"] = metric.object
      labels["quantile"] = metric.quantile.map { number($0) }
      text += sample(name, labels, metric.value)
    }
    return text
  }

  /// The metrics in the order of their names. Of several metrics for one object only the first is kept, because a user
  /// and the system may run the same bridge.
  private static func grouped(_ metrics: [ManagerInterface.Metric]) -> [ManagerInterface.Metric] {
    let byName = Dictionary(grouping: metrics, by: \.name).sorted { $0.key < $1.key }
    return byName.flatMap { _, metrics in
      var seen: Set<String?> = []
      return metrics.filter { seen.insert($0.object).inserted }
    }
  }

  /// The name of a metric in Prometheus: the counter `eventsRead` becomes `stepperd_events_read_total`.
  static func name(of metric: ManagerInterface.Metric) -> String {
    var name = "stepperd_"
    for character in metric.name {
      if character.isUppercase { name += "_" }
      name += character.isASCII && (character.isLetter || character.isNumber) ? character.lowercased() : "_"
    }
    return metric.type == .counter ? name + "_total" : name
  }

  private static func family(
    _ name: String, _ type: ManagerInterface.MetricType, _ description: String
  ) -> String {
    let help = description.unicodeScalars.map { $0 == "\\" ? "\\\\" : isNewline($0) ? " " : String($0) }
      .joined()
    return "# HELP \(name) \(help)\n# TYPE \(name) \(type.rawValue)\n"
  }

  private static func sample(_ name: String, _ labels: [String: String], _ value: Double) -> String {
    let pairs = labels.sorted { $0.key < $1.key }.map { "\($0)=\"\(escaped($1))\"" }
    return name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(number(value))\n"
  }

  /// Whole numbers are written without a decimal point.
  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  /// The value of a label with the escapes of the format.
  private static func escaped(_ label: String) -> String {
    label.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case _ where isNewline(scalar): "\\n"
      default: String(scalar)
      }
    }.joined()
  }

  private static func isNewline(_ scalar: Unicode.Scalar) -> Bool { Character(scalar).isNewline }
}
