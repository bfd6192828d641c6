/// What was probably meant.
enum Suggestion {
  /// The one of `names` that is nearest to `word`, if it is near enough.
  static func nearest(to word: String, among names: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let nearest = names.map { (distance: distance(word.lowercased(), $0.lowercased()), name: $0) }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    guard let nearest else { return nil }
    return nearest.distance <= limit || (!word.isEmpty && nearest.name.hasPrefix(word)) ? nearest.name : nil
  }

  /// How many characters have to be added, removed, replaced or swapped with their neighbour.
  static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, character) in one.enumerated() {
      var next = [row + 1]
      for (column, expected) in other.enumerated() {
        let replaced = last[column] + (character == expected ? 0 : 1)
        var best = min(replaced, last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, character == other[column - 1], one[row - 1] == expected {
          best = min(best, beforeLast[column - 1] + 1)
        }
        next.append(best)
      }
      (beforeLast, last) = (last, next)
    }
    return last[other.count]
  }
}
