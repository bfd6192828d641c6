/// GtkSpinButton's `numeric`: the characters that its entry accepts. Source: gtkspinbutton.c 1584.
extension TextScanner {
  /// Refuses the whole text if it contains a forbidden character, as GTK does with pasted text.
  func checkNumeric(digits: Int) throws(TextRefusal) {
    var rest = self
    if !rest.take("+") { _ = rest.take("-") }
    _ = rest.takeDigits(\.asciiDigit)
    var isFull = false
    if digits > 0, rest.take(".") {
      isFull = rest.takeDigits(\.asciiDigit, atMost: digits).count == digits && rest.next?.asciiDigit != nil
    }
    guard rest.next == nil else {
      throw rest.expected(
        isFull ? "no more than \(digits) decimal place\(digits == 1 ? "" : "s")" : "a digit")
    }
  }
}
