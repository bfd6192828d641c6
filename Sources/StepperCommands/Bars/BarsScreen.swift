internal import StepperClient
import StepperText

/// The lines of `watch --bars` for a terminal of some size.
struct BarsScreen {
  let bars: Bars
  let size: TerminalSize
  let style: TerminalStyle

  /// The lines, at most as many as the terminal has rows, and none wider than the terminal.
  var lines: [ScreenLine] {
    if bars.showsHelp { return help }
    // A terminal with a single row shows the entry or the message, or else the marked control.
    if size.rows == 1 {
      guard bars.entry == nil, bars.message.isEmpty, bars.isConnected else { return [status(over: 0..<0)] }
    }
    let count = max(1, size.rows - 1)
    let shown = Self.visible(count, of: bars.rows.count, marked: bars.marked)
    let columns = BarsColumns(of: bars, in: size.columns, style)
    var lines = shown.map { line(of: bars.rows[$0], isMarked: $0 == bars.marked, columns) }
    guard size.rows > 1 else { return lines }
    lines += Array(repeating: ScreenLine(width: size.columns), count: count - lines.count)
    return lines + [status(over: shown)]
  }

  /// The indices of the `count` visible rows: the page that has the marked row. Lines stay in place while the mark
  /// moves within the page.
  static func visible(_ count: Int, of all: Int, marked: Int) -> Range<Int> {
    let first = max(0, min(marked / max(count, 1) * count, all - count))
    return first..<min(all, first + count)
  }

  // MARK: Controls

  private func line(of row: Bars.Row, isMarked: Bool, _ columns: BarsColumns) -> ScreenLine {
    var line = ScreenLine(width: size.columns)
    let isMoving = row.state.editing
    line.add(isMarked ? ">" : "", at: 0, .strong)
    line.add(isMoving ? "*" : "", at: 1, .moving)
    line.add(cell(columns.name(of: row), columns.names), at: columns.names.start, isMarked ? .strong : .plain)
    let bar = BarText(width: columns.bar.width, style: style).text(of: row)
    line.add(bar, at: columns.bar.start, isMoving ? .moving : row.state.live ? .filled : .faint)
    let value = cell(bars.values.value(row.state, row.description).onOneLine(), columns.values)
    // Numbers are aligned at their right end.
    let space = row.names == nil ? max(0, columns.values.width - value.displayWidth) : 0
    line.add(value, at: columns.values.start + space, isMarked ? .strong : .plain)
    line.add(cell(bars.rangeText(of: row), columns.ranges), at: columns.ranges.start, .faint)
    line.add(cell(notes(on: row).joined(separator: ", "), columns.notes), at: columns.notes.start, .note)
    return line
  }

  private func cell(_ text: String, _ column: BarsColumns.Column) -> String {
    style.clipped(text, to: column.width)
  }

  /// Notes on the control: whether it is moving, the origin of its value, and the notes that other commands print too.
  private func notes(on row: Bars.Row) -> [String] {
    let origin =
      switch row.state.origin {
      case .device: row.device ?? "device"
      case .startup: "start"
      case .restored, .client, .configuration, .idle: row.state.origin.rawValue
      }
    let notes = (row.state.editing ? ["moving"] : []) + [origin] + (row.isWritable ? [] : ["read-only"])
    return (notes + ControlText.notes(row.state, row.description)).map { $0.onOneLine() }
  }

  // MARK: The last line

  private func status(over shown: Range<Int>) -> ScreenLine {
    var line = ScreenLine(width: size.columns)
    if let entry = bars.entry { return self.entry(entry) }
    let position = shown.count < bars.rows.count ? "\(bars.marked + 1)/\(bars.rows.count)" : ""
    let hint = [position, size.columns >= 60 ? "? help, q end" : ""].filter { !$0.isEmpty }.joined(
      separator: "  ")
    let room = max(0, size.columns - (hint.isEmpty ? 0 : hint.count + 2))
    let isWarning = !bars.isConnected || !bars.message.isEmpty
    let text = style.clipped(statusText, to: isWarning ? size.columns : room)
    line.add(text, at: 0, isWarning ? .note : .plain)
    if !isWarning {
      line.add(style.clipped(hint, to: size.columns), at: max(0, size.columns - hint.count), .faint)
    }
    return line
  }

  private var statusText: String {
    guard bars.isConnected else { return "connection lost, trying again" }
    guard bars.message.isEmpty else { return bars.message.onOneLine() }
    guard let row = bars.markedRow else { return "no controls" }
    let parts =
      [bars.values.value(row.state, row.description).onOneLine(), bars.rangeText(of: row)] + notes(on: row)
    return "\(row.state.control.onOneLine()) " + parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The typed value, cut at its beginning, with a cursor after it.
  private func entry(_ text: String) -> ScreenLine {
    var line = ScreenLine(width: size.columns)
    let name = style.clipped(bars.markedRow?.state.control.onOneLine() ?? "", to: size.columns / 2)
    let prompt = name.isEmpty ? "" : "\(name): "
    var typed = style.shown(text.onOneLine())
    let room = max(1, size.columns - prompt.displayWidth - 1)
    while typed.displayWidth > room { typed.removeFirst() }
    line.add(prompt, at: 0)
    line.add(typed + "_", at: prompt.displayWidth, .strong)
    return line
  }

  // MARK: Help

  private var help: [ScreenLine] {
    // The last keys are left out if the terminal has too few rows.
    let keys = [
      ("Up Down, k j", "mark a control"), ("Left Right, - +", "a step down or up"), ("q", "end"),
      ("PgUp PgDn", "a page up or down"), ("Home End", "the ends of the range"),
      ("digits, letters", "type a value; = or Enter begins an empty one"),
      ("Enter, Esc", "set the typed value, or cancel it"), ("Space", "switch a toggle"), ("r", "reset"),
      ("any key", "back"),
    ]
    return keys.prefix(size.rows).map { key, meaning in
      var line = ScreenLine(width: size.columns)
      let column = min(17, size.columns / 2)
      line.add(style.clipped(key, to: max(0, column - 1)), at: 0, .strong)
      line.add(style.clipped(meaning, to: size.columns - column), at: column)
      return line
    }
  }
}

extension Bars {
  /// The range of a control; empty for choices and toggles, because the bar shows their names.
  func rangeText(of row: Row) -> String {
    guard let description = row.description, row.names == nil else { return "" }
    return ControlText.range(description, values: values).onOneLine()
  }
}
