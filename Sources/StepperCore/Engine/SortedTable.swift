/// Values by key, in the order of the keys. A few keys are found faster by comparing than by hashing, and equal contents are
/// equal tables, walked in the same order.
struct SortedTable<Key: Comparable & Hashable & Sendable, Value: Hashable & Sendable>: Hashable, Sendable {
  private(set) var keys: [Key] = []
  /// As many as ``keys``, in their order. They may be changed in place, and are added and removed by key.
  var values: [Value] = []

  /// The place of a key; nil: it has no value.
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
