/// Rows of text in aligned columns.
struct Table {
  private let header: [String]
  private var rows: [[String]] = []

  init(header: [String] = []) { self.header = header }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines. Columns with nothing below the header are left out, and so is space at the end of a line.
  var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      let width = Self.width(of: column, in: rows)
      return width == 0 ? 0 : max(width, Self.width(of: column, in: [header]))
    }
    return ((header.isEmpty ? [] : [header]) + rows).map { row in
      var line = ""
      for (column, text) in zip(0..<columns, row) where widths[column] > 0 {
        line += text + String(repeating: " ", count: max(0, widths[column] - text.count) + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private static func width(of column: Int, in rows: [[String]]) -> Int {
    rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
  }

  /// Writes the lines to the standard output.
  func write() {
    for line in lines { Output.line(line) }
  }
}
