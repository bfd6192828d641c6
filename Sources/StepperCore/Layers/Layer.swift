/// When a binding is live: while each of some controls has one of its values.
struct Layer: Hashable, Sendable {
  private var conditions: [Condition]

  private struct Condition: Hashable, Sendable {
    /// Its place in the configuration; nil: there is no such control.
    var control: Int?
    var values: [FixedPoint]
  }

  /// `place` gives the place of a control by its name.
  init(_ conditions: [LayerCondition], place: (String) -> Int?) {
    self.conditions = conditions.map { Condition(control: place($0.control), values: $0.values) }
  }

  /// Of a binding without conditions.
  var isAlways: Bool { conditions.isEmpty }

  /// The places of the controls that decide it.
  var deciders: [Int] { conditions.compactMap { $0.control } }

  /// Whether it is live; `value` gives the value of a control by its place.
  func isLive(_ value: (Int) -> FixedPoint?) -> Bool {
    conditions.allSatisfy { condition in
      guard let control = condition.control, let value = value(control) else { return false }
      return condition.values.contains(value)
    }
  }
}

/// A button that was pressed through a binding of a layer, and is down.
struct LayeredPress: Hashable, Sendable {
  var source: InputSource
  var layer: Layer
}
