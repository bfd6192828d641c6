/// The beginning of what a board has sent, for people.
func shown(_ bytes: [UInt8]) -> String {
  String(bytes.prefix(48).map { (0x20...0x7e).contains($0) ? Character(Unicode.Scalar($0)) : "·" })
}

/// The text with spaces in place of control characters other than line feeds, cut to at most `most` bytes.
func fitted(_ text: String, _ most: Int) -> String {
  var (room, fitted) = (most, "")
  for character in text {
    let isControl =
      character != "\n" && character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
    let shown = isControl ? " " : String(character)
    room -= shown.utf8.count
    guard room >= 0 else { break }
    fitted += shown
  }
  return fitted
}
