import StepperCore

extension ConfigurationReader {
  /// A text with a unit: `"500ms"`, `"1.5s"`, `"2m"`, `"1h"`.
  mutating func duration<Key>(
    _ section: Section<Key>, _ key: Key, in range: ClosedRange<Duration>
  ) -> Duration? {
    guard let item = section[key] else { return nil }
    guard case .string(let text) = item.node, let numeral = DurationNumeral(text) else {
      report(
        "must be a text with a unit (ms, s, m or h) such as \"500ms\" or \"2s\", found \(item.node.found)",
        at: item.path)
      return nil
    }
    guard let duration = numeral.duration, range.contains(duration) else {
      report(
        "must be from \(range.lowerBound.text) to \(range.upperBound.text), found \(item.node.found)",
        at: item.path)
      return nil
    }
    return duration
  }
}

/// A duration as it is written, however long.
package struct DurationNumeral {
  private let number: Substring
  private let nanosecondsPerUnit: Int64

  /// A decimal number of up to nine decimal places and `ms`, `s`, `m` or `h`; nil for everything else.
  package init?(_ text: String) {
    let longest = 64
    guard text.utf8.count <= longest else { return nil }
    number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
    switch text.dropFirst(number.count) {
    case "ms": nanosecondsPerUnit = 1_000_000
    case "s": nanosecondsPerUnit = 1_000_000_000
    case "m": nanosecondsPerUnit = 60_000_000_000
    case "h": nanosecondsPerUnit = 3_600_000_000_000
    default: return nil
    }
    let parts = number.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard number.prefix(2) != "--", (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && !$0.contains("-") }),
      parts.count == 1 || parts[1].utf8.count <= FixedPoint.maximumDigits
    else { return nil }
  }

  /// nil: longer than a year.
  package var duration: Duration? {
    let secondsOfAYear: FixedPoint = 31_622_400
    guard let count = FixedPoint(number), count.magnitudeIsAtMost(secondsOfAYear.units * 1_000) else {
      return nil
    }
    let (high, low) = nanosecondsPerUnit.multipliedFullWidth(by: count.units)
    var power: Int64 = 1
    for _ in 0..<count.digits { power *= 10 }
    // The quotient must fit: a year is 3.2·10^16 ns.
    let length = Double(nanosecondsPerUnit) * count.doubleValue
    guard abs(length) <= Double(secondsOfAYear.units) * 1e9 else { return nil }
    return .nanoseconds(power.dividingFullWidth((high, low)).quotient)
  }
}

extension FixedPoint {
  fileprivate func magnitudeIsAtMost(_ limit: Int64) -> Bool {
    self <= FixedPoint(units: limit, digits: 0) && self >= FixedPoint(units: -limit, digits: 0)
  }
}

extension Duration {
  /// In the largest unit that needs no fraction, as the configuration writes it.
  var text: String {
    let units: [(name: String, size: Int64)] = [
      ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
    ]
    for unit in units where nanoseconds != 0 && nanoseconds.isMultiple(of: unit.size) {
      return "\(nanoseconds / unit.size)\(unit.name)"
    }
    return nanoseconds == 0 ? "0s" : "\(FixedPoint(units: nanoseconds, digits: 6).normalized)ms"
  }
}
