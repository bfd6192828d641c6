internal import StepperClient
internal import StepperText

/// The characters and colours of a terminal.
struct TerminalStyle: Hashable {
  /// False: ASCII only.
  var isUnicode: Bool
  var hasColour: Bool

  init(isUnicode: Bool, hasColour: Bool) { (self.isUnicode, self.hasColour) = (isUnicode, hasColour) }

  /// The locale of the environment decides whether the terminal takes UTF-8; `NO_COLOR` turns colours off.
  init(environment: (_ name: String) -> String? = { StepperAddress.environmentValue($0) }) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment).first { !$0.isEmpty } ?? ""
    let name = locale.lowercased()
    self.init(
      isUnicode: name.has("utf-8") || name.has("utf8"), hasColour: environment("NO_COLOR") == nil)
  }

  /// Whether a terminal of the type `name` (`TERM`) can put its cursor anywhere.
  static func placesCursor(_ name: String?) -> Bool { !["", "dumb", "unknown"].contains(name ?? "") }

  /// `text`, one line, in characters that the terminal has: of other ones each column is a question mark.
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

  /// The beginning of `text` that fits `columns`; what is left out is marked at the end.
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
