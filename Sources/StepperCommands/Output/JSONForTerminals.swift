internal import StepperCore
import StepperText

/// JSON without characters that control a terminal. The result decodes to the same values.
enum JSONForTerminals {
  /// `json` with every invisible or control character in its strings escaped as `\u009b`. The encoder itself escapes only
  /// those below U+0020.
  static func escape(_ json: String) -> String {
    if json.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return json }
    return json.unicodeScalars.map { scalar in
      let text = String(scalar)
      // Valid JSON has such characters only in strings.
      return text.onOneLine() == text ? text : text.utf16.map { "\\u\($0.hexadecimal)" }.joined()
    }.joined()
  }
}
