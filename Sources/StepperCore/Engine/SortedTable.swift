/// Values by key, in the order of the keys. A few keys are found faster by comparing than by hashing. Tables with
/// equal contents are equal, and are walked in the same order.
struct SortedTable<Key: Comparable & Hashable & Sendable, Value: Hashable & Sendable>: Hashable, Sendable {
  private(set) var keys: [Key] = []
  /// One value for each of ``keys``, in their order. Values may be changed in place; to add or remove one, use its
  /// key.
  var values: [Value] = []

  /// The place of a key; nil: the table does not have it.
  func place(of key: Key) -> Int? {
    let place = firstPlace(notBelow: key)
    return place < keys.count && keys[place] == key ? place : nil
  }

  subscript(key: Key) -> Value? {
    get { place(of: key).map { values[$0] } }
    set {
      let place = firstPlace(notBelow: key)
      let range = place..<(place < keys.count && keys[place] == key ? place + 1 : place)
      keys.replaceSubrange(range, with: newValue == nil ? [] : [key])
      values.replaceSubrange(range, with: newValue.map { [$0] } ?? [])
    }
  }

  private func firstPlace(notBelow key: Key) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
