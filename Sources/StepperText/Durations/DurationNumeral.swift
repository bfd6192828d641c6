internal import StepperCore

/// A duration as it is written, however long: a decimal number and its unit, `ms`, `s`, `m` or `h`.
package struct DurationNumeral {
  private let number: FixedPoint?
  private let nanosecondsPerUnit: Int64

  /// Which ways to write a duration are allowed.
  package enum Syntax {
    /// `1.5s`: digits with at most nine decimal places, and always a unit.
    case configuration
    /// As ``FixedPoint`` reads numbers, and in seconds without a unit.
    case commandLine
  }

  /// nil if `text` is not written like that.
  package init?(_ text: String, _ syntax: Syntax) {
    let longest = 64
    guard text.utf8.count <= longest else { return nil }
    let unit = text.utf8.reversed().prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }.count
    let number = text.utf8.dropLast(unit)
    switch (String(decoding: text.utf8.suffix(unit), as: UTF8.self), syntax) {
    case ("ms", _): nanosecondsPerUnit = 1_000_000
    case ("s", _), ("", .commandLine): nanosecondsPerUnit = 1_000_000_000
    case ("m", _): nanosecondsPerUnit = 60_000_000_000
    case ("h", _): nanosecondsPerUnit = 3_600_000_000_000
    default: return nil
    }
    self.number = FixedPoint(String(decoding: number, as: UTF8.self))
    switch syntax {
    case .commandLine: guard self.number != nil else { return nil }
    case .configuration: guard Self.isPlain(number) else { return nil }
    }
  }

  /// Whether it is digits, with a point between two of them and a sign at most.
  private static func isPlain(_ number: Substring.UTF8View) -> Bool {
    let unsigned = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    let parts = unsigned.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return (1...2).contains(parts.count)
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
      && (parts.count == 1 || parts[1].count <= FixedPoint.maximumDigits)
  }

  /// nil: longer than a year.
  package var duration: Duration? {
    let secondsOfAYear: Int64 = 31_622_400
    let most = FixedPoint(units: secondsOfAYear * 1_000, digits: 0)
    guard let number, number <= most, number >= FixedPoint(units: -most.units, digits: 0) else { return nil }
    let (high, low) = nanosecondsPerUnit.multipliedFullWidth(by: number.units)
    var power: Int64 = 1
    for _ in 0..<number.digits { power *= 10 }
    // The quotient must fit: a year is 3.2·10^16 ns.
    let length = Double(nanosecondsPerUnit) * number.doubleValue
    guard abs(length) <= Double(secondsOfAYear) * 1e9 else { return nil }
    return .nanoseconds(power.dividingFullWidth((high, low)).quotient)
  }
}

extension Duration {
  /// In the largest unit that needs no fraction, as ``DurationNumeral`` reads it.
  package var text: String {
    let units: [(name: String, size: Int64)] = [
      ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
    ]
    for unit in units where nanoseconds != 0 && nanoseconds.isMultiple(of: unit.size) {
      return "\(nanoseconds / unit.size)\(unit.name)"
    }
    return nanoseconds == 0 ? "0s" : "\(FixedPoint(units: nanoseconds, digits: 6).normalized)ms"
  }
}
