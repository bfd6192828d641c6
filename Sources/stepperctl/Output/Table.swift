internal import StepperCore
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

  /// Adds a row. Texts are made safe to show; the last one can be emphasised.
  mutating func add(_ row: [String], highlightingLast: Bool = false) {
    rows.append(Row(cells: row.map { $0.onOneLine() }, highlightsLast: highlightingLast))
  }

  /// Writes the rows to the standard output, without columns that are empty below the header and without trailing space.
  func write() {
    let columns = rows.map(\.cells.count).max() ?? 0
    let widths = (0..<columns).map { column in
      let width = Self.width(of: column, in: rows.map(\.cells))
      return width == 0 ? 0 : max(width, Self.width(of: column, in: [header]))
    }
    for row in (header.isEmpty ? [] : [Row(cells: header, highlightsLast: false)]) + rows {
      let last = row.highlightsLast ? row.cells.last ?? "" : ""
      var line = ""
      for (column, text) in row.cells.dropLast(row.highlightsLast ? 1 : 0).enumerated()
      where widths[column] > 0 {
        line += text.padded(to: widths[column] + 2)
      }
      if last.isEmpty { while line.last == " " { line.removeLast() } }
      Output.line(line, highlighting: last)
    }
  }

  private static func width(of column: Int, in rows: [[String]]) -> Int {
    rows.map { $0.count > column ? $0[column].displayWidth : 0 }.max() ?? 0
  }
}
