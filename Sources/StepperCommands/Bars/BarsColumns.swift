internal import StepperClient
import StepperText

/// The starts and widths of the columns of `watch --bars`. The name and the value have up to a third of the width each.
/// The range and the notes are left out if they would make the bar too short.
struct BarsColumns {
  struct Column {
    var start: Int
    var width: Int
  }

  private(set) var names = Column(start: 0, width: 0)
  private(set) var bar = Column(start: 0, width: 0)
  private(set) var values = Column(start: 0, width: 0)
  private(set) var ranges = Column(start: 0, width: 0)
  private(set) var notes = Column(start: 0, width: 0)
  private let text: ValueText

  /// The width of the mark and the sign for a movement.
  private static let margin = 2
  private static let leastBar = 10
  private static let mostBar = 60
  private static let mostRange = 16

  init(of bars: Bars, in columns: Int, _ style: TerminalStyle) {
    text = bars.values
    let content = max(0, columns - Self.margin)
    let third = max(3, content / 3)
    names.width = min(third, content, width { name(of: $0) })
    values.width = min(
      max(third, min(8, content / 2)), max(0, content - names.width - 1), width { widestValue(of: $0) })
    var rest = max(0, content - names.width - values.width - 2)
    func width(_ text: (Bars.Row) -> String) -> Int {
      bars.rows.map { style.shown(text($0)).displayWidth }.max() ?? 0
    }

    let range = min(Self.mostRange, width(bars.rangeText))
    if range > 0, rest >= range + 2 + Self.leastBar {
      ranges.width = range
      rest -= range + 2
    }
    let room = content >= 76 ? 26 : 20
    if rest >= room + 2 + Self.leastBar {
      bar.width = min(Self.mostBar, rest - room - 2)
      notes.width = rest - bar.width - 2
    } else {
      bar.width = rest
    }
    names.start = Self.margin
    bar.start = names.start + names.width + 1
    values.start = bar.start + bar.width + (bar.width > 0 ? 1 : 0)
    ranges.start = values.start + values.width + 2
    notes.start = ranges.start + (ranges.width > 0 ? ranges.width + 2 : 0)
  }

  /// The title, or the name of a control without one.
  func name(of row: Bars.Row) -> String {
    (row.description.flatMap(text.title) ?? row.state.control).onOneLine()
  }

  /// The longest of the value, the ends of the range and the names, so that the column keeps its width while values change.
  private func widestValue(of row: Bars.Row) -> String {
    let unit = row.description?.unit.map { " \($0)" } ?? ""
    let ends = row.names ?? numbers(of: row).map { $0 + unit }
    return (ends + [text.value(row.state, row.description)]).map { $0.onOneLine() }
      .max { $0.displayWidth < $1.displayWidth } ?? ""
  }

  private func numbers(of row: Bars.Row) -> [String] {
    guard let description = row.description, row.names == nil else { return [] }
    return [description.minimum, description.maximum].compactMap { $0 }.map { value in
      let number = text.number(value, of: description)
      let digits = Int(min(max(description.digits ?? 0, 0), 9))
      return digits == 0 || number.contains(".")
        ? number : number + "." + String(repeating: "0", count: digits)
    }
  }
}
