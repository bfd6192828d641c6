/// One deadline for each of a fixed number of places, and the earliest of them all.
///
/// A tournament tree: each node holds the earlier of the two below it, so that a change costs the height of the tree.
/// Equal deadlines give equal trees, whatever the order in which they were set.
package struct Deadlines: Hashable, Sendable {
  /// The root is at 1, the children of `n` at 2·n and 2·n + 1, the places from ``width`` on.
  private var nodes: [Instant]
  private let width: Int

  package init(count: Int) {
    var width = 1
    while width < count { width *= 2 }
    self.width = width
    nodes = Array(repeating: .distantFuture, count: 2 * width)
  }

  /// nil: there is no deadline.
  package var earliest: Instant? { nodes[1] < .distantFuture ? nodes[1] : nil }

  /// The first place whose deadline is the earliest.
  package var earliestPlace: Int? {
    guard earliest != nil else { return nil }
    var node = 1
    while node < width { node = nodes[2 * node] == nodes[1] ? 2 * node : 2 * node + 1 }
    return node - width
  }

  /// The deadline of a place; nil: none.
  package subscript(place: Int) -> Instant? {
    get { nodes[width + place] < .distantFuture ? nodes[width + place] : nil }
    set {
      var (node, winner) = (width + place, newValue ?? .distantFuture)
      while nodes[node] != winner {
        nodes[node] = winner
        guard node > 1 else { return }
        winner = min(winner, nodes[node ^ 1])
        node /= 2
      }
    }
  }
}
