import StepperCore

/// The rows of ``Subscriptions`` by the controls that they follow, so that a change costs nothing for rows with other controls.
struct RowsByControl {
  private(set) var rows: [Int] = []
  /// The rows that follow each control, by the place of the control in the configuration.
  private var byPlace: [[Int]] = []

  mutating func add(_ row: Int, following controls: [ControlID]) {
    rows.append(row)
    place(row, at: controls)
  }

  mutating func remove(_ row: Int) {
    rows.removeAll { $0 == row }
    for place in byPlace.indices { byPlace[place].removeAll { $0 == row } }
  }

  /// The set of controls was replaced: `controls` returns the controls that a row follows now.
  mutating func replace(_ controls: (_ row: Int) -> [ControlID]) {
    byPlace = []
    for row in rows { place(row, at: controls(row)) }
  }

  private mutating func place(_ row: Int, at controls: [ControlID]) {
    for control in controls {
      while byPlace.count <= control.index { byPlace.append([]) }
      byPlace[control.index].append(row)
    }
  }

  /// The rows that follow this control.
  func following(_ control: ControlID) -> [Int] {
    byPlace.indices.contains(control.index) ? byPlace[control.index] : []
  }
}
