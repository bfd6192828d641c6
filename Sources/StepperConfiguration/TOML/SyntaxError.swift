/// A violation of TOML and its position.
struct SyntaxError: Error, Hashable {
  /// The byte, from 0.
  var offset: Int
  var message: String
  var suggestion: String?
  /// The path of the value with the error, if known.
  var path = ValuePath.root

  init(_ message: String, at offset: Int, suggesting suggestion: String? = nil) {
    self.offset = offset
    self.message = message
    self.suggestion = suggestion
  }
}
