/// The candidate a misspelt `word` was probably meant to be; nil if none is near.
///
/// A word of up to five characters may have one typing error, up to eight two, a longer word three. Case and `_`
/// instead of `-` are no errors. The time is proportional to the number of candidates and does not depend on their
/// lengths.
package func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
  let longestWord = 64
  let length = word.utf8.count
  guard (1...longestWord).contains(length) else { return nil }
  let folded = fold(word)
  let tolerance = length <= 5 ? 1 : length <= 8 ? 2 : 3
  // With the full tolerance, a word of one or two characters would be near any other of that length.
  var limit = min(tolerance, length - 1)
  var best: String?
  var distance = EditDistance()
  for candidate in candidates where limit >= 0 && abs(candidate.utf8.count - length) <= limit {
    guard let edits = distance.between(folded, fold(candidate), upTo: limit) else { continue }
    // Of equally near candidates the first one wins.
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
