internal import Glibc
internal import StepperClient

/// The size of a terminal in characters. Columns and rows are from 1 to 500.
struct TerminalSize: Hashable {
  let columns: Int
  let rows: Int

  init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 500)
    self.rows = min(max(rows, 1), 500)
  }

  /// The size of the terminal behind `descriptor`; nil if it is not a terminal.
  init?(of descriptor: CInt) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    self.init(reportedColumns: Int(size.ws_col), reportedRows: Int(size.ws_row))
  }

  /// A reported size of 0 means unknown, as on a serial line. Then the size is that of `COLUMNS` and `LINES`, else 80
  /// by 24.
  init(
    reportedColumns: Int, reportedRows: Int,
    environment: (_ name: String) -> String? = { StepperAddress.environmentValue($0) }
  ) {
    self.init(
      columns: reportedColumns > 0 ? reportedColumns : environment("COLUMNS").flatMap { Int($0) } ?? 80,
      rows: reportedRows > 0 ? reportedRows : environment("LINES").flatMap { Int($0) } ?? 24)
  }
}
