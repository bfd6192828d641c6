import StepperText

/// Words that other programs use for keys and values of the configuration.
private let usualWords: [String: [String]] = [
  "min": ["minimum"], "max": ["maximum"], "lower": ["minimum"], "upper": ["maximum"],
  "default": ["initial"], "value": ["initial"], "start": ["initial"],
  "type": ["kind"], "name": ["title"], "label": ["title"], "units": ["unit"],
  "options": ["choices"], "values": ["choices"], "enum": ["choices", "choice"], "items": ["choices"],
  "increment-by": ["step"], "wrap-around": ["wraps"], "cyclic": ["wraps"],
  "readonly": ["writable-by"], "read-only": ["writable-by"], "idle": ["reset-after", "idle-after"],
  "timeout": ["reset-after"], "program": ["command"], "exec": ["command"], "run": ["command", "on-change"],
  "warn": ["warning"], "err": ["error"], "critical": ["error"], "information": ["info"],
  "verbose": ["debug"], "trace": ["debug"],
  "bool": ["toggle"], "boolean": ["toggle"], "switch": ["toggle"], "list": ["choice"],
  "select": ["choice"], "number": ["continuous"], "integer": ["continuous"], "float": ["continuous"],
  "range": ["continuous"], "momentary": ["button"],
]

/// The candidate that was probably meant by `word`: one that `word` misspells, or one that other programs call `word`;
/// nil if none is near.
func meant(by word: String, among candidates: [String]) -> String? {
  let longestWord = 32
  guard word.utf8.count <= longestWord else { return suggestion(for: word, among: candidates) }
  let folded = String(word.lowercased().map { $0 == "_" ? "-" : $0 })
  let usual = usualWords[folded]?.first { meant in candidates.contains { $0.isExactly(meant) } }
  return usual ?? suggestion(for: word, among: candidates)
}
