import StepperClient
import StepperInterfaces
import Testing

@testable import StepperBridge

@Suite struct ConversionTests {
  private static let ends: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1e300, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude,
    1e-9, 1, 100,
    1e300, .greatestFiniteMagnitude, .infinity,
  ]

  @Test func `ranges of any numbers become values that are numbers, or no conversion`() {
    let ranges = Self.ends.flatMap { low in Self.ends.filter { $0 >= low }.map { low...$0 } }
    for outside in ranges {
      for control in ranges {
        for scale in [BridgeScale.same, .spread] {
          let conversion = BridgeConversion(
            scale, from: BridgeTerms(range: outside, rounding: 1, grid: [outside.lowerBound]),
            to: BridgeTerms(range: control))
          guard let conversion, scale == .spread else { continue }
          #expect(conversion.terms.range.lowerBound <= conversion.terms.range.upperBound)
          #expect(conversion.control(outside.upperBound).isFinite, "\(outside) over \(control)")
          #expect(!conversion.outside(control.lowerBound).isNaN, "\(control) from \(outside)")
        }
      }
    }
  }

  @Test func `a description of any numbers has terms or none`() {
    for low in Self.ends {
      for high in Self.ends {
        for digits in [nil, Int64.min, -1, 0, 9, .max] {
          let description = ControlInterface.Description(
            control: "a", kind: .continuous, profile: "uikit", minimum: low, maximum: high, digits: digits,
            format: .init(), wrap: false, writable: true)
          #expect((description.bridgeTerms == nil) == (low > high))
        }
      }
    }
  }
}
