internal import StepperCore
import StepperText

/// Lines in columns that are written one by one: a column becomes wider with the first text that needs it.
struct RunningColumns {
  private var widths: [Int]

  /// `widths`: what the first columns are at least wide.
  init(widths: [Int] = []) { self.widths = widths }

  /// The line of `row`, without space at its end.
  mutating func line(_ row: [String]) -> String {
    var line = ""
    for (column, text) in row.map({ $0.onOneLine() }).enumerated() {
      if column == widths.count { widths.append(0) }
      widths[column] = max(widths[column], text.displayWidth)
      line += text.padded(to: widths[column] + 2)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
