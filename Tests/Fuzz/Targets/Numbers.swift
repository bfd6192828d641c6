import StepperCore
import StepperInterfaces
import Varlink

extension FuzzTarget {
  /// Two numbers from any bytes, and then a text as one.
  static let numbers = FuzzTarget("numbers", upTo: 256, within: .milliseconds(100)) { input in
    var source = ByteSource(input)
    let first = FixedPoint(units: source.integer(), digits: source.index(below: 10))
    let second = FixedPoint(units: source.integer(), digits: source.index(below: 10))
    let digits = Int(source.byte()) - 64
    try checkPrinting(of: first)
    try checkOrder(first, second)
    try checkRounding(first, to: digits)
    let double = source.double()
    if let nearest = FixedPoint(nearest: double) {
      try require(
        abs(nearest.doubleValue - double) <= 0.5e-9 + abs(double) * 1e-15,
        "\(double) is taken for \(nearest)")
    }
    let text = source.remainingText()
    if let number = FixedPoint(text) { try checkPrinting(of: number) }
    try checkPlainDecimal(text, places: digits % 32)
  }

  private static func checkPrinting(of number: FixedPoint) throws {
    try require(
      FixedPoint(number.description) == number || number.units == .min,
      "\(number) reads back as another number")
    let nearest = FixedPoint(nearest: number.doubleValue)
    // A double keeps fifteen digits, whatever they are.
    let isExact = number.normalized.units.magnitude < 1_000_000_000_000_000
    try require(!isExact || nearest == number, "\(number) is \(String(describing: nearest)) as a double")
    try require(number.normalized == number, "\(number) is another number when it is normalised")
    var (one, other) = (Hasher(), Hasher())
    number.hash(into: &one)
    number.normalized.hash(into: &other)
    try require(one.finalize() == other.finalize(), "equal numbers have two hash values: \(number)")
  }

  private static func checkOrder(_ first: FixedPoint, _ second: FixedPoint) throws {
    let relations = [first < second, first == second, second < first].count { $0 }
    try require(relations == 1, "\(first) and \(second) have \(relations) relations")
    let (one, other) = (first.doubleValue, second.doubleValue)
    try require(one == other || (one < other) == (first < second), "\(first) and \(second) are out of order")
  }

  private static func checkRounding(_ number: FixedPoint, to digits: Int) throws {
    for rounding in FixedPoint.Rounding.allCases {
      let rescaled = number.rescaled(to: digits, rounding)
      let isSaturated = rescaled.units == .min || rescaled.units == .max
      try require(
        isSaturated || rescaled.digits < number.digits || rescaled == number,
        "\(number) with \(digits) places is \(rescaled)")
      try require(rescaled.rescaled(to: digits, rounding) == rescaled, "rounding twice is another: \(number)")
      let significant = number.rounded(toSignificantDigits: digits, rounding)
      try require(
        significant.rounded(toSignificantDigits: digits, rounding) == significant,
        "\(number) with \(digits) digits is \(significant), and with as many again another")
    }
  }

  private static func checkPlainDecimal(_ text: String, places: Int) throws {
    guard let decimal = PlainDecimal(text) else { return }
    try require(PlainDecimal(decimal.text) == decimal, "\(decimal.text) reads back as another number")
    var moved = decimal
    moved.movePoint(right: places)
    try require(PlainDecimal(moved.text) == moved, "\(moved.text) reads back as another number")
    moved.movePoint(right: -places)
    let trimmed = { (text: String) in String(text.reversed().drop { $0 == "0" }.reversed()) }
    try require(
      moved.whole == decimal.whole && trimmed(moved.fraction) == trimmed(decimal.fraction),
      "\(decimal.text) is \(moved.text) after its point was moved by \(places) and back")
    var rounded = decimal
    rounded.round(toSignificantDigits: places)
    var again = rounded
    again.round(toSignificantDigits: places)
    try require(rounded == again, "\(rounded.text) is rounded again to \(again.text)")
  }
}
