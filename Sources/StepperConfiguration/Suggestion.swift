/// The candidate a misspelt `word` was probably meant to be; nil if none is near.
///
/// One typing error is forgiven in a word of up to five characters, two up to eight, three beyond. Case and
/// `_` for `-` cost nothing.
func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
  let longestWord = 64
  guard (1...longestWord).contains(word.utf8.count) else { return nil }
  let folded = fold(word)
  let tolerance = folded.count <= 5 ? 1 : folded.count <= 8 ? 2 : 3
  var best: (candidate: String, distance: Int)?
  for candidate in candidates where candidate.utf8.count <= longestWord {
    let other = fold(candidate)
    guard abs(other.count - folded.count) <= tolerance else { continue }
    let distance = editDistance(folded, other)
    // A word of one or two characters is near to any other of that length.
    guard distance <= tolerance, distance < folded.count else { continue }
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.candidate
}

private func fold(_ word: String) -> [UInt8] {
  word.lowercased().utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
}

/// How many insertions, deletions, replacements and swaps of neighbours make one of the other
/// (optimal string alignment).
func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
  var beforeLast = [Int](repeating: 0, count: right.count + 1)
  var last = Array(0...right.count)
  for i in 1...left.count {
    var row = [i] + [Int](repeating: 0, count: right.count)
    for j in 1...right.count {
      let replaced = last[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
      row[j] = min(replaced, last[j] + 1, row[j - 1] + 1)
      if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
        row[j] = min(row[j], beforeLast[j - 2] + 1)
      }
    }
    (beforeLast, last) = (last, row)
  }
  return last[right.count]
}
