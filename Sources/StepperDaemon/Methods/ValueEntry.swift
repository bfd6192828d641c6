import StepperCore
import StepperInterfaces
import StepperText
import Varlink

/// Reads a text that a client requests, by the rules of one control.
struct TextEntry {
  let settings: ControlSettings
  let unit: String?

  /// The requested value; nil if nothing changes (GtkSpinButton's reading of `nan`).
  func request(_ text: String, clamps: Bool) throws(VarlinkFailure) -> SetRequest? {
    switch settings.kind {
    case .continuous: return try number(text, clamps: clamps)
    case .choice, .toggle, .button: return try word(text)
    }
  }

  private func word(_ text: String) throws(VarlinkFailure) -> SetRequest? {
    if settings.textRules.canBeUnset, text.isEmpty { return SetRequest(nil, isText: true) }
    guard let index = settings.words.firstIndex(of: text) else {
      throw VarlinkFailure(
        ControlInterface.NoSuchValue(control: settings.name, text: text, choices: settings.words))
    }
    return SetRequest(FixedPoint(units: Int64(index), digits: 0), isText: true)
  }

  private func number(_ text: String, clamps: Bool) throws(VarlinkFailure) -> SetRequest? {
    let rules = settings.textRules
    let clamps = clamps || rules.updatePolicy == .always || rules.updatePolicy == .overwrite
    switch rules.read(withoutUnit(text), digits: settings.digits) {
    case .number(let number): return SetRequest(number, clamps: clamps, isText: true)
    case .unset: return SetRequest(nil, isText: true)
    case .unchanged: return nil
    case .refused(let reason): throw refusal(of: text, "\(reason)")
    case .beyond(let direction):
      let end = direction == .increment ? settings.maximumValue : settings.minimumValue
      guard clamps, let end else { throw refusal(of: text, "it is too large") }
      return SetRequest(end, clamps: true, isText: true)
    }
  }

  /// Removes the unit of the control, which may follow the number. A unit that could be part of the number must be
  /// separated by a space: `1F` of `0x1F` and the `0` of `10` belong to the number.
  private func withoutUnit(_ text: String) -> String {
    guard let unit, text.hasSuffix(unit) else { return text }
    let rest = text.dropLast(unit.count)
    let isAmbiguous = unit.first.map { $0.isNumber || $0 == "." } ?? true || isNumber(text)
    return isAmbiguous && rest.last?.isWhitespace != true ? text : String(rest)
  }

  /// Whether all of `text` is a number.
  private func isNumber(_ text: String) -> Bool {
    var rules = settings.textRules
    if rules.updatePolicy == .always { rules.updatePolicy = .ifValid }
    switch rules.read(text, digits: settings.digits) {
    case .number, .beyond, .unchanged: return true
    case .unset, .refused: return false
    }
  }

  private func refusal(of text: String, _ problem: String) -> VarlinkFailure {
    VarlinkFailure(ControlInterface.NoSuchValue(control: settings.name, text: text, problem: problem))
  }
}

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
    guard let value, let number = try number(value) else { return nil }
    guard value > 0 else { throw refusal("a step must be greater than 0") }
    // The nearest decimal of a very small step is 0.
    guard number > 0, number == number.rescaled(to: settings.precision) else {
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
