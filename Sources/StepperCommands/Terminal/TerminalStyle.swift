internal import StepperClient
internal import StepperText

/// The characters and colours of a terminal.
struct TerminalStyle: Hashable {
  /// False: ASCII only.
  var isUnicode: Bool
  var hasColour: Bool

  init(isUnicode: Bool, hasColour: Bool) { (self.isUnicode, self.hasColour) = (isUnicode, hasColour) }

  /// The locale of the environment specifies whether the terminal accepts UTF-8; `NO_COLOR`, and a
  /// terminal that cannot place its cursor, turn colours off.
  init(environment: (_ name: String) -> String? = { StepperAddress.environmentValue($0) }) {
    let name = (Environment.locale(of: "LC_CTYPE", environment) ?? "").lowercased()
    self.init(
      isUnicode: name.has("utf-8") || name.has("utf8"),
      hasColour: environment("NO_COLOR") == nil && Self.placesCursor(environment("TERM")))
  }

  /// Whether a terminal of the type `name` (`TERM`) can move its cursor to any position.
  static func placesCursor(_ name: String?) -> Bool { !["", "dumb", "unknown"].contains(name ?? "") }

  /// `text`, which must be one line, with a question mark for each column of a character that the terminal cannot show.
  func shown(_ text: String) -> String {
    guard !isUnicode else { return text }
    return text.map { character in
      switch character {
      case _ where character.isASCII: String(character)
      case "…": ".."
      case "\u{2212}": "-"
      case "∞": "inf"
      default: String(repeating: "?", count: String(character).displayWidth)
      }
    }.joined()
  }

  /// The beginning of `text` that fits `columns`, with an ellipsis if it is cut.
  func clipped(_ text: String, to columns: Int) -> String {
    let text = shown(text)
    guard text.displayWidth > columns else { return text }
    let mark = isUnicode ? "…" : "~"
    guard columns > 0 else { return "" }
    var clipped = ""
    var width = 0
    for character in text {
      width += String(character).displayWidth
      guard width < columns else { break }
      clipped.append(character)
    }
    while isUnicode, clipped.last == "…" { clipped.removeLast() }
    return clipped + mark
  }
}
