import StepperText

/// Rows of text in aligned columns.
struct Table {
  private let header: [String]
  private var rows: [Row] = []

  private struct Row {
    var cells: [String]
    var highlightsLast: Bool
  }

  init(header: [String] = []) { self.header = header }

  /// Adds a row. Control and invisible characters are escaped; the last text can be emphasised.
  mutating func add(_ row: [String], highlightingLast: Bool = false) {
    let last = row.indices.last
    let cells = row.enumerated().map { $1.onOneLine(limit: $0 == last ? .max : Self.mostBytes) }
    rows.append(Row(cells: cells, highlightsLast: highlightingLast))
  }

  /// The maximum size of a text in a column that others are aligned with, in bytes, so that one long text does not lengthen
  /// every line.
  static let mostBytes = 1_024

  /// The minimum width of a wrapped last column; in a narrower terminal it is written below the others.
  private static let leastWrapped = 24

  /// Writes the rows to the standard output, without trailing space and without columns that are empty below the
  /// header.
  ///
  /// With `terminalWidth` the last column is wrapped so that no line is wider, if the other columns leave enough room.
  func write(columns terminalWidth: Int? = nil) {
    let columns = rows.map(\.cells.count).max() ?? 0
    let widths = (0..<columns).map { column in
      let width = Self.width(of: column, in: rows.map(\.cells))
      return width == 0 ? 0 : max(width, Self.width(of: column, in: [header]))
    }
    for row in (header.isEmpty ? [] : [Row(cells: header, highlightsLast: false)]) + rows {
      let cells = zip(row.cells, widths).filter { $1 > 0 }
      let last = cells.last?.0 ?? ""
      let start = cells.dropLast().reduce("") { $0 + $1.0.padded(to: $1.1 + 2) }
      if row.highlightsLast, row.cells.last?.isEmpty == false {
        Output.line(start, highlighting: last)
      } else if let terminalWidth, row.cells.count == columns {
        Self.write(last, after: start, in: terminalWidth)
      } else {
        Output.line((start + last).withoutTrailingSpace)
      }
    }
  }

  private static func write(_ text: String, after start: String, in terminalWidth: Int) {
    var (line, indent) = (start, start.displayWidth)
    if terminalWidth - indent < leastWrapped {
      Output.line(line.withoutTrailingSpace)
      (line, indent) = ("    ", 4)
    }
    for part in text.wrapped(to: max(1, terminalWidth - indent)) {
      Output.line(line + part)
      line = String(repeating: " ", count: indent)
    }
  }

  private static func width(of column: Int, in rows: [[String]]) -> Int {
    rows.map { $0.count > column ? $0[column].displayWidth : 0 }.max() ?? 0
  }
}
