/// Comparisons of texts byte by byte.
///
/// Swift's `==` compares strings by canonical equivalence, which is far slower than comparing bytes if a text has many
/// combining characters. Names are therefore compared byte by byte.
extension String {
  func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  func begins(with scalar: Unicode.Scalar) -> Bool { utf8.first == UInt8(ascii: scalar) }
}

/// Whether `name` can be a component of a path that leads into no other directory.
func isFileName(_ name: String) -> Bool {
  !name.utf8.contains(UInt8(ascii: "/")) && !name.isExactly(".") && !name.isExactly("..")
}

extension RawRepresentable<String> {
  /// The case whose name is `word`. All names are short and consist of ASCII characters.
  init?(word: String) {
    let longestWord = 64
    guard word.utf8.count <= longestWord, word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    self.init(rawValue: word)
  }
}
