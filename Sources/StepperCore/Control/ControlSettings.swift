/// The settings of a control: its kind, range and behaviour. Names are UIStepper's and GtkAdjustment's.
///
/// The defaults are UIStepper's: 0…100 by 1, no wrap, autorepeat, continuous.
package struct ControlSettings: Hashable, Sendable {
  /// `[a-z0-9._-]+`, at most 64 bytes.
  package var name: String
  package var kind = ControlKind.continuous
  /// The names of a choice's values, in order from 0.
  package var choices: [String] = []
  /// nil: unbounded on that side.
  package var minimumValue: FixedPoint? = 0
  package var maximumValue: FixedPoint? = 100
  /// Positive.
  package var stepValue: FixedPoint = 1
  /// Positive. GTK's default is ten steps.
  package var pageIncrement: FixedPoint = 10
  /// nil: unset, NumberBox's NaN.
  package var initialValue: FixedPoint? = 0
  /// Decimal places that are shown, 0…9.
  package var digits = 0
  /// Decimal places that are kept, ``digits``…9. No number in these settings has more.
  package var precision = 0
  package var feel = Feel()
  /// How a text becomes a value, and whether the value may be unset.
  package var textRules = TextRules()
  /// Whether devices drive the control. Clients may set its value in either case.
  package var isEnabled = true
  package var bindings: [Binding] = []

  package init(name: String) { self.name = name }

  /// The least number of decimal places that shows all of `numbers` exactly.
  package static func digits(showing numbers: [FixedPoint?]) -> Int {
    numbers.compactMap { $0?.normalized.digits }.max() ?? 0
  }
}

/// The kind of a control.
package enum ControlKind: String, CaseIterable, Hashable, Sendable {
  case continuous
  /// One of several names; the value is the index of the name.
  case choice
  /// 0 or 1: off or on.
  case toggle
  /// 1 while the button is pressed.
  case button
}

extension ControlSettings {
  /// The settings with the maximum that the grid really has, its last value: 11 of 1…13 by 5.
  var onGrid: ControlSettings {
    guard feel.partialStep == .grid else { return self }
    let range = ValueRange(self)
    guard let span = range.span else { return self }
    var result = self
    result.maximumValue = range.number(span.upperBound - (span.upperBound - span.lowerBound) % range.step)
    return result
  }

  /// `value` rounded to the shown digits: the control's text shows this number, and a commit replaces the value by
  /// it.
  package func shown(_ value: FixedPoint) -> FixedPoint {
    guard let count = feel.significantDigits else { return value.rescaled(to: digits, feel.rounding) }
    let rounded = value.rounded(toSignificantDigits: count, feel.rounding).normalized
    return rounded.digits < digits ? rounded.rescaled(to: digits) : rounded
  }

  /// The value that the control has when it is set to `number` and clamped.
  package func valueNearest(to number: FixedPoint) -> FixedPoint {
    let range = ValueRange(onGrid)
    var units = range.units(of: number)
    if feel.bounds == .enforced { units = range.clamp(units) }
    if feel.snapping == .always { units = range.snapped(units) }
    return range.number(units)
  }

  package func nearest(to number: FixedPoint) -> FixedPoint {
    let belowMaximum = maximumValue.map { min($0, number) } ?? number
    return minimumValue.map { max($0, belowMaximum) } ?? belowMaximum
  }

  /// The names of the values from 0 on; empty for a continuous control.
  package var words: [String] {
    switch kind {
    case .continuous: []
    case .choice: choices
    case .toggle, .button: ["off", "on"]
    }
  }

  /// The text of `value`: a decimal in the C locale, the name of a choice, `on` or `off`.
  package func text(of value: FixedPoint) -> String {
    switch kind {
    case .continuous: return shown(value).description
    case .toggle, .button: return words[value == 0 ? 0 : 1]
    case .choice:
      let index = Int(value.rescaled(to: 0).units)
      return choices.indices.contains(index) ? choices[index] : value.description
    }
  }
}

extension [ControlSettings] {
  /// The place of the first control with each name.
  var placesByName: [String: Int] {
    var places: [String: Int] = [:]
    for place in indices.reversed() { places[self[place].name] = place }
    return places
  }
}
