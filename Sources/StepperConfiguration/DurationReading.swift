import StepperCore

extension ConfigurationReader {
  /// A text with a unit: `"500ms"`, `"1.5s"`, `"2m"`, `"1h"`.
  mutating func duration<Key>(
    _ section: Section<Key>, _ key: Key, in range: ClosedRange<Duration>
  ) -> Duration? {
    guard let item = section[key] else { return nil }
    let allowed = "must be a text with a unit (ms, s, m or h) such as \"500ms\" or \"2s\""
    guard case .string(let text) = item.node else {
      report("\(allowed), found \(item.node.found)", at: item.path)
      return nil
    }
    guard let duration = Duration(text) else {
      report("\(allowed), found \(quoted(text))", at: item.path)
      return nil
    }
    guard range.contains(duration) else {
      report(
        "must be from \(range.lowerBound.text) to \(range.upperBound.text), found \(quoted(text))",
        at: item.path)
      return nil
    }
    return duration
  }
}

extension Duration {
  /// A decimal number and `ms`, `s`, `m` or `h`; nil for everything else and for more than a year.
  init?(_ text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
    let nanosecondsPerUnit: Int64
    switch text.dropFirst(number.count) {
    case "ms": nanosecondsPerUnit = 1_000_000
    case "s": nanosecondsPerUnit = 1_000_000_000
    case "m": nanosecondsPerUnit = 60_000_000_000
    case "h": nanosecondsPerUnit = 3_600_000_000_000
    default: return nil
    }
    guard number.first != ".", number.last != ".", let count = FixedPoint(number), count <= 31_622_400_000
    else { return nil }
    let (high, low) = nanosecondsPerUnit.multipliedFullWidth(by: count.units)
    var power: Int64 = 1
    for _ in 0..<count.digits { power *= 10 }
    // The quotient must fit: a year is 3.2·10^16 ns.
    let longest = Double(nanosecondsPerUnit) * count.doubleValue
    guard abs(longest) <= 31_622_400_000_000_000 else { return nil }
    self = .nanoseconds(power.dividingFullWidth((high, low)).quotient)
  }

  /// In the largest unit that needs no fraction, as the configuration writes it.
  var text: String {
    let units: [(name: String, size: Int64)] = [
      ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
    ]
    for unit in units where nanoseconds != 0 && nanoseconds.isMultiple(of: unit.size) {
      return "\(nanoseconds / unit.size)\(unit.name)"
    }
    return nanoseconds == 0 ? "0s" : "\(nanoseconds / 1_000_000)ms"
  }
}
