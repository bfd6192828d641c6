internal import StepperCore
import StepperText

/// JSON that does nothing to the terminal it is printed on. It is still the same JSON.
enum JSONForTerminals {
  /// `json` with every character in its texts that is invisible, or that a terminal would obey, by its number:
  /// `\u009b`. The encoder does that only for those below U+0020.
  static func escape(_ json: String) -> String {
    if json.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return json }
    var escaped = ""
    for scalar in json.unicodeScalars {
      let text = String(scalar)
      if text.onOneLine() == text {
        escaped += text
      } else {
        // Outside of texts JSON has none of these.
        for unit in text.utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return escaped
  }
}
