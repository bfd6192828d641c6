package import StepperInterfaces

extension ProviderInterface.Text {
  /// The value with its unit, for a display that has no separate place for the unit; empty: the value is unset.
  package var valueWithUnit: String {
    value.map { value in unit.map { "\(value) \($0)" } ?? value } ?? ""
  }
}
