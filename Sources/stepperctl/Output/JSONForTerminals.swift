internal import StepperCore
import StepperText

/// JSON without characters that control a terminal. It decodes to the same values.
enum JSONForTerminals {
  /// `json` with every invisible or control character in its strings escaped as `\u009b`. The encoder itself escapes only
  /// those below U+0020.
  static func escape(_ json: String) -> String {
    if json.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return json }
    var escaped = ""
    for scalar in json.unicodeScalars {
      let text = String(scalar)
      if text.onOneLine() == text {
        escaped += text
      } else {
        // JSON has such characters in strings only.
        for unit in text.utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return escaped
  }
}
