/// A condition for a binding to be live: another control, a choice or a toggle, has one of these values.
package struct LayerCondition: Hashable, Sendable {
  /// The name of the control.
  package var control: String
  package var values: [FixedPoint]

  package init(control: String, values: [FixedPoint]) {
    self.control = control
    self.values = values
  }
}

/// When a binding is live: while each of certain controls has one of certain values.
struct Layer: Hashable, Sendable {
  private var conditions: [Condition]

  private struct Condition: Hashable, Sendable {
    /// The place of the control in the configuration; nil: there is no such control.
    var control: Int?
    var values: [FixedPoint]
  }

  /// `place` gives the place of a control by its name.
  init(_ conditions: [LayerCondition], place: (String) -> Int?) {
    self.conditions = conditions.map { Condition(control: place($0.control), values: $0.values) }
  }

  /// Whether this is the layer of a binding without conditions.
  var isAlways: Bool { conditions.isEmpty }

  /// The places of the controls that decide this layer.
  var deciders: [Int] { conditions.compactMap { $0.control } }

  /// Whether the layer is live; `value` gives the value of a control by its place.
  func isLive(_ value: (Int) -> FixedPoint?) -> Bool {
    conditions.allSatisfy { condition in
      guard let control = condition.control, let value = value(control) else { return false }
      return condition.values.contains(value)
    }
  }
}

/// A button that is down and was pressed through a binding of a layer.
struct LayeredPress: Hashable, Sendable {
  var source: InputSource
  var layer: Layer
}
