import StepperCore
import StepperText

extension ConfigurationValue {
  /// Reads one text, or a table of texts by language: `title.de = "Lautstärke"`.
  func titles() -> (title: String?, titles: [String: String]) {
    guard case .table = node else { return (text(), [:]) }
    var titles: [String: String] = [:]
    for (tag, value) in entries(upTo: ConfigurationLimit.languages, "languages") {
      let isTag =
        (1...35).contains(tag.utf8.count)
        && tag.utf8.allSatisfy { isBareKeyByte($0) && $0 != UInt8(ascii: "_") }
      if !isTag {
        value.report("must be a language tag such as \"de\" or \"pt-BR\", found \(quoted(tag))", .key)
      }
      titles[tag] = value.text()
    }
    if titles.isEmpty { report("must not be empty") }
    let fallback = titles["en"] ?? titles.min { $0.key < $1.key }?.value
    return (fallback, titles)
  }
}
