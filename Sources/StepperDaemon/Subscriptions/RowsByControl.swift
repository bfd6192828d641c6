import StepperCore

/// The rows of ``Subscriptions`` by the controls that they follow: a change costs nothing for those of other controls.
struct RowsByControl {
  /// Those of every control, of whatever configuration.
  private(set) var ofAll: [Int] = []
  /// Those of some controls.
  private(set) var ofSome: [Int] = []
  /// The latter by the place of the control in the configuration.
  private var byPlace: [[Int]] = []

  var count: Int { ofAll.count + ofSome.count }

  mutating func add(_ row: Int, of subscription: Subscription) {
    guard subscription.patterns != .all else { return ofAll.append(row) }
    ofSome.append(row)
    place(row, at: subscription.controls)
  }

  /// Enters a row of some controls.
  mutating func place(_ row: Int, at controls: [ControlID]) {
    for control in controls {
      while byPlace.count <= control.index { byPlace.append([]) }
      byPlace[control.index].append(row)
    }
  }

  mutating func remove(_ row: Int) {
    ofAll.removeAll { $0 == row }
    guard let place = ofSome.firstIndex(of: row) else { return }
    ofSome.remove(at: place)
    for place in byPlace.indices { byPlace[place].removeAll { $0 == row } }
  }

  /// The set of controls was replaced: call ``place(_:at:)`` for each of ``ofSome``.
  mutating func clear() { byPlace = [] }

  /// Those of some controls that follow this one.
  func following(_ control: ControlID) -> [Int] {
    byPlace.indices.contains(control.index) ? byPlace[control.index] : []
  }
}
