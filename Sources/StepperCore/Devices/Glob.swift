/// Whether `text` matches the shell pattern `pattern`, in which `*` matches any string and `?` one character.
/// The time is at most proportional to the product of both lengths.
package func glob(_ pattern: some StringProtocol, matches text: some StringProtocol) -> Bool {
  let (pattern, text) = (Array(pattern), Array(text))
  var (p, t) = (0, 0)
  /// The position of the last `*`, and the length of the text that it matches so far.
  var star: (pattern: Int, text: Int)?
  while t < text.count {
    if p < pattern.count, pattern[p] == "*" {
      star = (p, t)
      p += 1
    } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
      (p, t) = (p + 1, t + 1)
    } else if let last = star {
      star = (last.pattern, last.text + 1)
      (p, t) = (last.pattern + 1, last.text + 1)
    } else {
      return false
    }
  }
  return pattern[p...].allSatisfy { $0 == "*" }
}
