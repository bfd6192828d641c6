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
    let last = row.indices.last
    let cells = row.enumerated().map { $1.onOneLine(limit: $0 == last ? .max : Self.mostBytes) }
    rows.append(Row(cells: cells, highlightsLast: highlightingLast))
  }

  /// Bytes of a text that others are aligned with, so that a reply with a long one does not make every line as long.
  static let mostBytes = 1_024

  /// The least width of a last column that is wrapped; a terminal with less room gets it below the others.
  private static let leastWrapped = 24

  /// Writes the rows to the standard output, without columns that are empty below the header and without trailing space.
  ///
  /// With `terminalWidth` the last column is wrapped, so that no line is longer, as far as the other columns let it.
  func write(columns terminalWidth: Int? = nil) {
    let columns = rows.map(\.cells.count).max() ?? 0
    let widths = (0..<columns).map { column in
      let width = Self.width(of: column, in: rows.map(\.cells))
      return width == 0 ? 0 : max(width, Self.width(of: column, in: [header]))
    }
    for row in (header.isEmpty ? [] : [Row(cells: header, highlightsLast: false)]) + rows {
      if let terminalWidth, !row.highlightsLast, row.cells.count == columns {
        writeWrapped(row.cells, widths, in: terminalWidth)
        continue
      }
      let last = row.highlightsLast ? row.cells.last ?? "" : ""
      var line = ""
      for (column, text) in row.cells.dropLast(row.highlightsLast ? 1 : 0).enumerated()
      where widths[column] > 0 {
        line += text.padded(to: widths[column] + 2)
      }
      Output.line(last.isEmpty ? line.withoutTrailingSpace : line, highlighting: last)
    }
  }

  private func writeWrapped(_ cells: [String], _ widths: [Int], in terminalWidth: Int) {
    var line = ""
    for (text, width) in zip(cells, widths).dropLast() where width > 0 { line += text.padded(to: width + 2) }
    var indent = line.displayWidth
    if terminalWidth - indent < Self.leastWrapped {
      Output.line(line.withoutTrailingSpace)
      (line, indent) = ("    ", 4)
    }
    for part in (cells.last ?? "").wrapped(to: max(1, terminalWidth - indent)) {
      Output.line(line + part)
      line = String(repeating: " ", count: indent)
    }
  }

  private static func width(of column: Int, in rows: [[String]]) -> Int {
    rows.map { $0.count > column ? $0[column].displayWidth : 0 }.max() ?? 0
  }
}
