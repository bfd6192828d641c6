/// Whether `text` fits the shell pattern `pattern`, in which `*` stands for any text and `?` for one
/// character. Takes time proportional to the product of both lengths at most.
package func glob(_ pattern: some StringProtocol, matches text: some StringProtocol) -> Bool {
  let (pattern, text) = (Array(pattern), Array(text))
  var (p, t) = (0, 0)
  /// Where the last `*` was, and how much of the text it has swallowed so far.
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
