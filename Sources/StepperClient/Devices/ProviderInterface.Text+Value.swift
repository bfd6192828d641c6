package import StepperInterfaces

extension ProviderInterface.Text {
  /// The value with its unit, as a display without a place for each shows it; empty: it is unset.
  package var valueWithUnit: String {
    value.map { value in unit.map { "\(value) \($0)" } ?? value } ?? ""
  }
}
