/// Names that cannot be guessed: of tokens, and of streams.
package enum RandomName {
  /// 22 letters, digits, `-` and `_`, which are 132 bits, from the random numbers of the system.
  package static func make() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<22).map { _ in letters[Int.random(in: letters.indices)] })
  }
}
