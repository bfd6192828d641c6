extension String {
  /// The text, or if it is longer than `limit` bytes of UTF-8, as much of its beginning as fits with a `…` after it.
  package func clipped(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let mark = "…"
    let room = max(limit - mark.utf8.count, 0)
    // Counted in scalars, because a character of a hostile text may have any length.
    var end = utf8.startIndex
    var length = 0
    for scalar in unicodeScalars {
      length += UTF8.width(scalar)
      guard length <= room else { break }
      end = unicodeScalars.index(after: end)
    }
    return String(self[..<end]) + mark
  }
}
