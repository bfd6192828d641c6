/// What must hold for a binding to be live: another control, a choice or a toggle, has one of these values.
package struct LayerCondition: Hashable, Sendable {
  /// The name of the control.
  package var control: String
  package var values: [FixedPoint]

  package init(control: String, values: [FixedPoint]) {
    self.control = control
    self.values = values
  }
}
