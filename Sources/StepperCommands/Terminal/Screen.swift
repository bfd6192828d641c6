/// The contents of a terminal, so that only changed lines are written again.
struct Screen {
  private var shown: [ScreenLine] = []
  /// The size of the terminal when it was drawn; nil if its contents are unknown.
  private var size: TerminalSize?

  /// Makes the next update draw everything again.
  mutating func forget() { size = nil }

  /// The bytes that show `lines` from the top and clear the rows below. Empty if `lines` are already shown.
  mutating func update(to lines: [ScreenLine], _ size: TerminalSize, _ style: TerminalStyle) -> String {
    var text = ""
    if size != self.size {
      text = "\u{1b}[0m\u{1b}[2J"
      shown = []
      self.size = size
    }
    for row in 0..<max(lines.count, shown.count) {
      let line = row < lines.count ? lines[row] : ScreenLine(width: size.columns)
      guard row >= shown.count ? line != ScreenLine(width: size.columns) : line != shown[row] else {
        continue
      }
      text += line.encoded(row: row, style)
    }
    shown = lines
    return text
  }
}
