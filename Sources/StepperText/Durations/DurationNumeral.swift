internal import StepperCore

/// A duration in its written form, of any length: a decimal number and its unit, `ms`, `s`, `m` or `h`.
package struct DurationNumeral {
  private let number: FixedPoint?
  private let nanosecondsPerUnit: Int64

  /// The accepted forms of a duration.
  package enum Syntax {
    /// `1.5s`: digits with at most nine decimal places, and always a unit.
    case configuration
    /// A number as ``FixedPoint`` reads it; without a unit, in seconds.
    case commandLine
  }

  /// nil if `text` does not have this form.
  package init?(_ text: String, _ syntax: Syntax) {
    let longest = 64
    guard text.utf8.count <= longest else { return nil }
    let length = text.utf8.reversed().prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }.count
    // The bytes are a part of a String, so they are valid UTF-8.
    let name = String(decoding: text.utf8.suffix(length), as: UTF8.self)
    let wanted = name.isEmpty && syntax == .commandLine ? "s" : name
    guard let unit = Self.units.first(where: { $0.name == wanted }) else { return nil }
    nanosecondsPerUnit = unit.nanoseconds
    // As above.
    number = FixedPoint(String(decoding: text.utf8.dropLast(length), as: UTF8.self))
    switch syntax {
    case .commandLine: guard number != nil else { return nil }
    case .configuration: guard Self.isPlain(text.utf8.dropLast(length)) else { return nil }
    }
  }

  /// The units, the largest first.
  fileprivate static let units: [(name: String, nanoseconds: Int64)] = [
    ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000),
  ]

  /// Whether `number` has only digits, at most one point between two digits, and at most a minus sign before them.
  private static func isPlain(_ number: Substring.UTF8View) -> Bool {
    let unsigned = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    let parts = unsigned.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return (1...2).contains(parts.count)
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
      && (parts.count == 1 || parts[1].count <= FixedPoint.maximumDigits)
  }

  /// The duration; nil if it is longer than a year.
  package var duration: Duration? {
    let secondsOfAYear: Int64 = 31_622_400
    // The quotient must fit: a year is 3.2·10^16 ns.
    guard let number,
      abs(Double(nanosecondsPerUnit) * number.doubleValue) <= Double(secondsOfAYear) * 1e9
    else { return nil }
    let product = nanosecondsPerUnit.multipliedFullWidth(by: number.units)
    let power = (0..<number.digits).reduce(Int64(1)) { power, _ in power * 10 }
    return .nanoseconds(power.dividingFullWidth(product).quotient)
  }
}

extension Duration {
  /// The duration in the largest unit that needs no fraction, in the form that ``DurationNumeral`` reads.
  package var text: String {
    guard nanoseconds != 0 else { return "0s" }
    let unit = DurationNumeral.units.first { nanoseconds.isMultiple(of: $0.nanoseconds) }
    return unit.map { "\(nanoseconds / $0.nanoseconds)\($0.name)" }
      ?? "\(FixedPoint(units: nanoseconds, digits: 6).normalized)ms"
  }
}
