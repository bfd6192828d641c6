/// Reads a TOML 1.0 document in one pass, in time and memory proportional to the size of the text.
///
/// After an error the parser skips the rest of the line, or of the array or text of several lines, and continues. In
/// this way it finds all errors at once, up to ``ConfigurationLimit/problems``.
struct TOMLParser {
  let text: SourceText
  let root = DocumentTable(.header)
  /// In the order of the file; the first section holds everything before the first header.
  var sections: [DocumentSection]
  /// The errors in the order in which they were found.
  private(set) var errors: [SyntaxError] = []
  var cursor: ByteCursor
  /// The table that keys are added to, and its path.
  var table: DocumentTable
  var tablePath = ValuePath.root
  /// The path of the value that is being read.
  var path = ValuePath.root
  /// The number of open brackets and braces, inside which a value may continue on the next line.
  var openBrackets = 0
  /// Whether an error has left brackets open; their closing brackets are not reported.
  private var hasLooseEnds = false

  init(_ text: SourceText) {
    self.text = text
    cursor = ByteCursor(text)
    table = root
    sections = [DocumentSection(table: root, start: text.start)]
  }

  mutating func parseDocument() {
    while cursor.peek != nil, errors.count < ConfigurationLimit.problems {
      let start = cursor.offset
      do throws(SyntaxError) {
        try parseLine()
      } catch {
        note(error)
        recover(from: error, inLineAt: start)
      }
    }
  }

  /// Notes an error. A single line may have more errors than are reported.
  mutating func note(_ error: SyntaxError) {
    guard errors.count < ConfigurationLimit.problems else { return }
    var error = error
    if error.path.components.isEmpty { error.path = path }
    errors.append(error)
  }

  private mutating func parseLine() throws(SyntaxError) {
    path = tablePath
    openBrackets = 0
    cursor.skipBlanks()
    if hasLooseEnds, cursor.isAt("]") || cursor.isAt("}") {
      return cursor.skipToNextLine()
    }
    let isHeader = cursor.isAt("[")
    if isHeader {
      hasLooseEnds = false
      try parseHeader()
    } else if !cursor.isAt("#"), !cursor.isAtEndOfLine {
      try parseAssignment(in: table)
    }
    cursor.skipBlanks()
    if cursor.isAt("#") { cursor.skipLine() }
    guard cursor.peek == nil || cursor.takeEndOfLine() else { throw restOfLine(afterHeader: isHeader) }
  }

  private func restOfLine(afterHeader: Bool) -> SyntaxError {
    let here = cursor.offset
    if cursor.isAt(","), cursor.peek(1).map(isDigit) == true {
      return SyntaxError("a number is written with a point, not with a comma", at: here)
    }
    if cursor.isAtForeignComment {
      return SyntaxError("a comment begins with #, found \(cursor.found)", at: here)
    }
    let message =
      afterHeader
      ? "nothing but a comment may follow the name of a table, found \(cursor.found)"
      : "nothing but a comment may follow a value, found \(cursor.found); a text needs quotes around all of it"
    return SyntaxError(message, at: here)
  }

  /// Moves the cursor to where parsing can continue.
  private mutating func recover(from error: SyntaxError, inLineAt start: Int) {
    guard openBrackets > 0 else { return cursor.skipToNextLine() }
    hasLooseEnds = true
    // The following text belongs to the value until it looks like a statement.
    if text.line(at: cursor.offset) > text.line(at: start) {
      cursor.moveToBeginningOfLine()
    } else {
      cursor.skipToNextLine()
    }
    while cursor.peek != nil, !cursor.looksLikeStatement() { cursor.skipToNextLine() }
  }
}
