/// A line of a screen: texts that begin at fixed columns, so that a character of unexpected width does not move the texts
/// after it.
struct ScreenLine: Hashable {
  enum Emphasis: String {
    case plain = ""
    case strong = "1"
    case faint = "2"
    case filled = "36"
    case moving = "32"
    case note = "33"

    var isColour: Bool { self == .filled || self == .moving || self == .note }
  }

  private struct Cell: Hashable {
    var column: Int
    var text: String
    var emphasis: Emphasis
  }

  private let width: Int
  private var cells: [Cell] = []

  /// An empty line of `width` columns.
  init(width: Int) { self.width = width }

  /// Adds `text` at `column`, counted from 0, and cuts it at the end of the line. Cells must be added from left to
  /// right.
  mutating func add(_ text: String, at column: Int, _ emphasis: Emphasis = .plain) {
    var text = text
    while !text.isEmpty, column + text.displayWidth > width { text.removeLast() }
    guard !text.isEmpty else { return }
    cells.append(Cell(column: column, text: text, emphasis: emphasis))
  }

  /// The characters of the line without trailing space.
  var text: String { cells.reduce("") { $0.padded(to: $1.column) + $1.text }.withoutTrailingSpace }

  /// The bytes that write the line into `row` of a terminal, counted from 0.
  func encoded(row: Int, _ style: TerminalStyle) -> String {
    cells.reduce("\u{1b}[\(row + 1);1H\u{1b}[2K") { all, cell in
      let isPlain = cell.emphasis == .plain || cell.emphasis.isColour && !style.hasColour
      let text = isPlain ? cell.text : "\u{1b}[\(cell.emphasis.rawValue)m\(cell.text)\u{1b}[0m"
      return all + "\u{1b}[\(cell.column + 1)G" + text
    }
  }
}
