/// Comparisons of texts byte by byte.
///
/// Two Swift strings are equal if they are canonically equivalent, which costs far more than their bytes where a
/// text has many combining characters. Names are compared like this instead.
extension String {
  func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  func begins(with scalar: Unicode.Scalar) -> Bool { utf8.first == UInt8(ascii: scalar) }
}

extension RawRepresentable<String> {
  /// The case of that name, all of which are short and of ASCII.
  init?(word: String) {
    let longestWord = 64
    guard word.utf8.count <= longestWord, word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    self.init(rawValue: word)
  }
}
