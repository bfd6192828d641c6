/// A key that was pressed at a terminal.
enum TerminalKey: Hashable {
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace, delete
  /// Ctrl with a letter, in lower case.
  case control(Character)
  /// A printable character; a combining one is a separate key.
  case character(Character)
}
