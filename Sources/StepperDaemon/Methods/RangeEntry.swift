import StepperCore
import StepperInterfaces
import Varlink

/// Reads the range and the steps that a client requests for a control.
struct RangeEntry {
  let settings: ControlSettings
  let parameters: ControlInterface.Adjust.Parameters

  /// The requested changes; the engine validates the combination of both ends.
  var adjustment: Adjustment {
    get throws(VarlinkFailure) {
      guard settings.kind == .continuous else {
        throw refusal("it is a \(settings.kind.rawValue), whose range and steps are fixed")
      }
      return Adjustment(
        minimumValue: try number(parameters.minimum), maximumValue: try number(parameters.maximum),
        stepValue: try step(parameters.step), pageIncrement: try step(parameters.page))
    }
  }

  private func number(_ value: Double?) throws(VarlinkFailure) -> FixedPoint? {
    guard let value else { return nil }
    guard let number = FixedPoint(nearest: value),
      number.rescaled(to: settings.precision).units.magnitude <= FixedPoint.mostUnits
    else { throw refusal("a number is too large") }
    return number
  }

  /// A step is never rounded: the difference would affect every detent.
  private func step(_ value: Double?) throws(VarlinkFailure) -> FixedPoint? {
    guard let number = try number(value) else { return nil }
    guard number > 0 else { throw refusal("a step must be greater than 0") }
    guard number == number.rescaled(to: settings.precision) else {
      let places = "\(settings.precision) decimal place\(settings.precision == 1 ? "" : "s")"
      throw refusal("it keeps \(places); set precision in its configuration for more")
    }
    return number
  }

  func refusal(_ problem: String) -> VarlinkFailure {
    VarlinkFailure(
      ControlInterface.InvalidRange(
        control: parameters.control, minimum: parameters.minimum, maximum: parameters.maximum,
        step: parameters.step, page: parameters.page, problem: problem))
  }
}
