extension StringProtocol {
  /// The first occurrence of `part`, which must not be empty, compared byte by byte; nil if there is none.
  ///
  /// The standard library's function for this would link the regular expression engine, a megabyte, into each program.
  package func place(of part: String) -> Range<Index>? {
    let bytes = utf8
    var start = bytes.startIndex
    while start < bytes.endIndex {
      if bytes[start...].starts(with: part.utf8) {
        return start..<bytes.index(start, offsetBy: part.utf8.count)
      }
      bytes.formIndex(after: &start)
    }
    return nil
  }

  /// Whether the text contains `part`, compared byte by byte.
  package func has(_ part: String) -> Bool { place(of: part) != nil }
}
