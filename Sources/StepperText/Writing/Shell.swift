/// A text in a shell command.
package enum Shell {
  /// `text` quoted as one word.
  package static func quoted(_ text: String) -> String {
    let plain = "/._-+=:@,%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    if !text.isEmpty, text.utf8.allSatisfy(plain.utf8.contains) { return text }
    // Compared by scalars: an apostrophe followed by a combining character is a different `Character`, but for a shell
    // it is still an apostrophe.
    let scalars = text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }
    return "'\(scalars.joined())'"
  }
}
