extension StringProtocol {
  /// Where `part`, which is not empty, stands first, byte by byte; nil: nowhere.
  ///
  /// What the standard library has for it brings the machine of regular expressions along, a megabyte in each program.
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

  /// Whether `part` stands in it, byte by byte.
  package func has(_ part: String) -> Bool { place(of: part) != nil }
}
