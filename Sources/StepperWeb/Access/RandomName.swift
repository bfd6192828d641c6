/// Names that cannot be guessed, for tokens and streams.
package enum RandomName {
  /// Makes a name of 22 letters, digits, `-` and `_`: 132 bits from the system's random numbers.
  package static func make() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<22).map { _ in letters[Int.random(in: letters.indices)] })
  }
}
