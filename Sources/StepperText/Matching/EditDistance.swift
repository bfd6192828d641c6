/// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into another (optimal
/// string alignment). Keeps the rows of the table that computes it.
struct EditDistance {
  private var beforeLast: [Int] = []
  private var last: [Int] = []
  private var row: [Int] = []

  /// The distance; nil if it exceeds `limit`. Only the part of the table within `limit` is computed.
  mutating func between(_ left: [UInt8], _ right: [UInt8], upTo limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    let beyond = limit + 1
    if last.count <= right.count {
      let zeros = [Int](repeating: 0, count: right.count + 1)
      (beforeLast, last, row) = (zeros, zeros, zeros)
    }
    for j in 0...right.count { (beforeLast[j], last[j]) = (beyond, min(j, beyond)) }
    for i in stride(from: 1, through: left.count, by: 1) {
      // Further from the diagonal the lengths alone differ by more than `limit`.
      let (first, end) = (max(1, i - limit), min(right.count, i + limit))
      row[first - 1] = first == 1 ? min(i, beyond) : beyond
      var least = row[first - 1]
      for j in stride(from: first, through: end, by: 1) {
        var edits = min(last[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          edits = min(edits, beforeLast[j - 2] + 1)
        }
        row[j] = min(edits, beyond)
        least = min(least, row[j])
      }
      guard least <= limit else { return nil }
      if end < right.count { row[end + 1] = beyond }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[right.count] <= limit ? last[right.count] : nil
  }
}
