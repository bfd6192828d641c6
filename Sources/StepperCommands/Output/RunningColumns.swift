import StepperText

/// Aligned columns for lines that are written one by one. A text that is too wide widens its column for all following
/// lines.
struct RunningColumns {
  private var widths: [Int]

  /// `widths` are the minimum widths of the first columns.
  init(widths: [Int] = []) { self.widths = widths }

  /// The line of `row`, without trailing space.
  mutating func line(_ row: [String]) -> String {
    var line = ""
    for (column, text) in row.enumerated() {
      let text = text.onOneLine(limit: column == row.count - 1 ? .max : Table.mostBytes)
      if column == widths.count { widths.append(0) }
      widths[column] = max(widths[column], min(text.displayWidth, Table.mostBytes))
      line += text.padded(to: widths[column] + 2)
    }
    return line.withoutTrailingSpace
  }
}
