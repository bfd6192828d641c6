/// What keeps a text from being TOML, and where.
struct SyntaxError: Error, Hashable {
  /// The byte, from 0.
  var offset: Int
  var message: String
  var suggestion: String?
  /// What the error is in, as far as that is known.
  var path = ValuePath.root

  init(_ message: String, at offset: Int, suggesting suggestion: String? = nil) {
    self.offset = offset
    self.message = message
    self.suggestion = suggestion
  }
}
