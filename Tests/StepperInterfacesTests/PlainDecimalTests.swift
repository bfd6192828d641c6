import StepperInterfaces
import Testing
@testable import Varlink

@Suite struct `Exact decimals` {
  @Test(arguments: ["0", "-0", "12", "-12.50", "0.001", "123456789012345678901234567890.5"])
  func `are their text`(text: String) { #expect(PlainDecimal(text)?.text == text) }

  @Test(arguments: ["", "-", ".", "5.", ".5", "+5", "1e5", "1,5", "--1", "1.2.3", "on", "٣"])
  func `are nothing else`(text: String) { #expect(PlainDecimal(text) == nil) }

  @Test(arguments: [
    (0, "0"), (-0.0, "0"), (5, "5"), (0.1, "0.1"), (-12.25, "-12.25"), (1e15, "1000000000000000"),
    (-1e18, "-1000000000000000000"), (123_456_789_012_345_680, "123456789012345680"),
    (1e21, "1000000000000000000000"),
    (1e-7, "0.0000001"), (2.5e-9, "0.0000000025"), (-1e16, "-10000000000000000"),
  ])
  func `are doubles`(double: Double, text: String) { #expect(PlainDecimal(double)?.text == text) }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `are finite`(double: Double) { #expect(PlainDecimal(double) == nil) }

  @Test(arguments: [
    ("0.13", 2, "13"), ("1", 2, "100"), ("0.5", 2, "50"), ("-0.125", 2, "-12.5"), ("13", -2, "0.13"),
    ("7.5", -2, "0.075"), ("1234", -2, "12.34"), ("0", 2, "0"), ("0", -2, "0.00"),
  ])
  func `move their point`(text: String, places: Int, moved: String) throws {
    var number = try #require(PlainDecimal(text))
    number.movePoint(right: places)
    #expect(number.text == moved)
  }

  @Test(arguments: [
    ("1234.5", 3, "1230"), ("1234.5", 4, "1234"), ("1235.5", 4, "1236"), ("1234.51", 4, "1235"),
    ("0.012345", 3, "0.0123"),
    ("0.0099", 1, "0.01"), ("999.9", 3, "1000"), ("99.95", 3, "100"), ("5.00", 5, "5"), ("100", 2, "100"),
    ("0.00", 2, "0"),
    ("25", 1, "20"), ("35", 1, "40"), ("-1.25", 2, "-1.2"), ("12", 0, "10"),
    ("0.5", .max, "0.5"), ("12.5", .min, "10"),
  ])
  func `are rounded`(text: String, digits: Int, rounded: String) throws {
    var number = try #require(PlainDecimal(text))
    number.round(toSignificantDigits: digits)
    #expect(number.text == rounded)
  }
}
