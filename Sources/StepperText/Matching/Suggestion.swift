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
