import StepperCore
import Testing

@Suite struct FixedPointTests {
  @Test(arguments: [
    ("0", 0, 0), ("-0", 0, 0), ("12", 12, 0), ("+3.25", 325, 2), ("-0.5", -5, 1), ("1.50", 15, 1),
    (".5", 5, 1), ("5.", 5, 0), ("1e3", 1000, 0), ("25e-1", 25, 1), ("0.000000001", 1, 9),
    ("9223372036854775807", Int64.max, 0),
  ])
  func `decimal text is read exactly`(_ text: String, units: Int64, digits: Int) throws {
    let number = try #require(FixedPoint(text))
    #expect((number.units, number.digits) == (units, digits))
  }

  @Test(arguments: [
    "", "-", ".", "1.2.3", "abc", "1 ", " 1", "1,5", "0x10", "1e", "1e99", "nan", "inf", "0.0000000001",
    "9223372036854775808", "--1", "٣",
  ])
  func `what is no decimal is refused`(_ text: String) {
    #expect(FixedPoint(text) == nil)
  }

  @Test(arguments: [
    (0, 0, "0"), (5, 1, "0.5"), (-5, 1, "-0.5"), (-5, 3, "-0.005"), (1234, 2, "12.34"), (100, 2, "1.00"),
    (Int64.min, 0, "-9223372036854775808"), (0, 3, "0.000"),
  ])
  func `a number is written with all its digits`(_ units: Int64, _ digits: Int, _ text: String) {
    #expect(FixedPoint(units: units, digits: digits).description == text)
  }

  @Test(arguments: [
    (25, 1, 0, 3), (-25, 1, 0, -3), (24, 1, 0, 2), (1, 9, 0, 0), (7, 0, 3, 7000),
    (Int64.max, 0, 1, Int64.max),
    (Int64.min, 0, 1, Int64.min),
  ])
  func `rescaling rounds ties away from zero and saturates`(
    _ units: Int64, _ digits: Int, _ newDigits: Int, _ result: Int64
  ) {
    #expect(FixedPoint(units: units, digits: digits).rescaled(to: newDigits).units == result)
  }

  @Test func `equal numbers are equal whatever their digits`() {
    #expect(FixedPoint(units: 10, digits: 1) == 1)
    #expect(FixedPoint(units: 10, digits: 1).hashValue == FixedPoint(units: 1000, digits: 3).hashValue)
    #expect(FixedPoint(units: 15, digits: 1) > 1)
    #expect(FixedPoint(units: -15, digits: 1) < -1)
    #expect(FixedPoint(units: .min, digits: 0) < FixedPoint(units: .min, digits: 9))
  }

  @Test(arguments: [0.1, 0.3, -2.5, 1e-9, 123_456.789, 4_503_599_627_370_497.0, 1e15])
  func `a double comes back as it was`(_ double: Double) throws {
    #expect(try #require(FixedPoint(nearest: double)).doubleValue == double)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `a double that is no decimal is refused`(_ double: Double) {
    #expect(FixedPoint(nearest: double) == nil)
  }

  @Test func `a tenth added a hundred thousand times and taken away again is nothing`() {
    var settings = ControlSettings(name: "gain")
    (settings.minimumValue, settings.maximumValue) = (nil, nil)
    (settings.stepValue, settings.precision) = (FixedPoint(units: 1, digits: 1), 1)
    var engine = Engine(EngineConfiguration(controls: [settings], devices: []), at: .milliseconds(0))
    let id = ControlID(0, generation: 0)
    for steps in [Int64(1), -1] {
      for _ in 0..<100_000 { _ = engine.advance(to: .milliseconds(0), applying: .step(id, steps, .step)) }
      if steps == 1 { #expect(engine[id]?.value?.description == "10000.0") }
    }
    #expect(engine[id]?.value == 0)
  }
}
