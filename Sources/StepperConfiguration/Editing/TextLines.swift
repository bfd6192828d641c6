internal import Varlink

/// The lines of a text that is edited.
struct TextLines {
  let bytes: [UInt8]
  /// The beginning of the text.
  let start: Int

  /// The line ending before `offset`, or else the first one of the text, or else a line feed.
  func ending(before offset: Int) -> String {
    let place =
      bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? bytes.firstIndex(of: UInt8(ascii: "\n"))
    guard let place, place > 0, bytes[place - 1] == UInt8(ascii: "\r") else { return "\n" }
    return "\r\n"
  }

  /// The beginning of the line that contains `offset`.
  func start(ofLineAt offset: Int) -> Int {
    bytes[start..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start
  }

  /// The beginning of the next line after `offset`, or the end of the text.
  func end(ofLineAt offset: Int) -> Int {
    bytes[offset...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
  }

  /// The blanks at the beginning of the line that contains `offset`.
  func indentation(ofLineAt offset: Int) -> String {
    let line = start(ofLineAt: offset)
    return OutsideText.shown(bytes[line..<offset].prefix(while: isBlank))
  }

  enum Kind { case blank, comment, other, end }

  /// The kind of the line that begins at `offset`.
  func kind(ofLineAt offset: Int) -> Kind {
    guard offset < bytes.count else { return .end }
    switch bytes[offset...].drop(while: isBlank).first {
    case "#"?: return .comment
    case "\n"?, "\r"?, nil: return .blank
    default: return .other
    }
  }

  /// The beginning of the comment lines directly above the line that begins at `offset`.
  func startOfComments(above offset: Int) -> Int {
    var place = offset
    while place > start {
      let line = start(ofLineAt: place - 1)
      guard kind(ofLineAt: line) == .comment else { break }
      place = line
    }
    return place
  }

  /// The end of the comment lines that begin at `offset`; `offset` itself if another statement follows them directly,
  /// because they belong to that one.
  func endOfComments(at offset: Int) -> Int {
    var place = offset
    while kind(ofLineAt: place) == .comment { place = end(ofLineAt: place) }
    return kind(ofLineAt: place) == .other ? offset : place
  }

  /// The edit that inserts `lines` at the beginning of a line, or at the end of a text whose last line may lack a line
  /// ending. With `isApart`, blank lines separate them from the other lines.
  func insertion(of lines: [String], at offset: Int, isApart: Bool = false) -> TextEdit {
    let ending = ending(before: offset)
    let isLoose = offset > start && bytes[offset - 1] != UInt8(ascii: "\n")
    var text = isLoose ? ending : ""
    if isApart, offset > start {
      let former = start(ofLineAt: isLoose ? offset : offset - 1)
      if kind(ofLineAt: former) != .blank { text += ending }
    }
    text += lines.map { $0 + ending }.joined()
    if isApart, ![.blank, .end].contains(kind(ofLineAt: offset)) { text += ending }
    return TextEdit(insertingAt: offset, text)
  }
}
