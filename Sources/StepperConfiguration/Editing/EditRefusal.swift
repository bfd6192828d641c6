/// Why a text cannot be changed automatically, and what to write instead.
package struct EditRefusal: Error, Hashable {
  /// A sentence, which may have several lines of TOML at its end.
  package var message: String
}
