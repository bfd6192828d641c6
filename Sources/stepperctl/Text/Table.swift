/// Rows of text in aligned columns.
struct Table {
  private var rows: [[String]] = []

  init(header: [String]? = nil) {
    if let header { rows.append(header) }
  }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines. Columns without any text are left out, and so is space at the end of a line.
  var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() where widths[column] > 0 {
        line += text + String(repeating: " ", count: widths[column] - text.count + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Writes the lines to the standard output.
  func write() {
    for line in lines { Output.line(line) }
  }
}
