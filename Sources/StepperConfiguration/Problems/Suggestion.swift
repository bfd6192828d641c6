/// The candidate a misspelt `word` was probably meant to be; nil if none is near.
///
/// One typing error is forgiven in a word of up to five characters, two up to eight, three beyond. Case and
/// `_` for `-` cost nothing. It takes time in the number of candidates, and not in their lengths.
package func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
  let longestWord = 64
  let length = word.utf8.count
  guard (1...longestWord).contains(length) else { return nil }
  let folded = fold(word)
  let tolerance = length <= 5 ? 1 : length <= 8 ? 2 : 3
  // A word of one or two characters is near to any other of that length.
  var limit = min(tolerance, length - 1)
  var best: String?
  var distance = EditDistance()
  for candidate in candidates where limit >= 0 && abs(candidate.utf8.count - length) <= limit {
    guard let edits = distance.between(folded, fold(candidate), upTo: limit) else { continue }
    // Of those that are equally near, the first.
    (best, limit) = (candidate, edits - 1)
  }
  return best
}

private func fold(_ word: String) -> [UInt8] {
  word.utf8.map { byte in
    switch byte {
    case UInt8(ascii: "_"): UInt8(ascii: "-")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    default: byte
    }
  }
}

/// How many insertions, deletions, replacements and swaps of neighbours make one word of another (optimal string
/// alignment), with the memory that it takes to find out.
struct EditDistance {
  private var beforeLast: [Int] = []
  private var last: [Int] = []
  private var row: [Int] = []

  /// nil if they are more than `limit`, of which only as much is worked out.
  mutating func between(_ left: [UInt8], _ right: [UInt8], upTo limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    let beyond = limit + 1
    if last.count <= right.count {
      let zeros = [Int](repeating: 0, count: right.count + 1)
      (beforeLast, last, row) = (zeros, zeros, zeros)
    }
    for j in 0...right.count { (beforeLast[j], last[j]) = (beyond, min(j, beyond)) }
    for i in stride(from: 1, through: left.count, by: 1) {
      // Further from the diagonal there are more differences in length than are allowed.
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
