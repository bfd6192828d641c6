/// Reads a command: a program, a path or a name that is looked up in `PATH`, and its arguments. No shell reads them.
struct CommandReader {
  /// Why a program cannot be started, as the rest of a sentence; nil: it can.
  let programProblem: (String) -> String?

  /// What a command is, for messages.
  static let form = "an array of 1 to \(ConfigurationLimit.arguments) texts, the program and its arguments"

  /// An array, or a program without arguments.
  func command(_ value: ConfigurationValue) -> [String]? {
    let values = value.elements(upTo: .max)
    guard (1...ConfigurationLimit.arguments).contains(values.count) else {
      return value.refuse("must be \(Self.form)")
    }
    let texts = values.enumerated().compactMap { index, value in
      index == 0 ? program(value) : value.anyText(upTo: ConfigurationLimit.argumentBytes)
    }
    return texts.count == values.count ? texts : nil
  }

  /// A path that does not depend on where the daemon was started, or a name.
  private func program(_ value: ConfigurationValue) -> String? {
    guard let text = value.text(upTo: ConfigurationLimit.argumentBytes) else { return nil }
    if text.utf8.contains(UInt8(ascii: "/")), !text.begins(with: "/") {
      value.report("commands begin in /; write the whole path, found \(quoted(text))")
    } else if HookSettings.placeholders(in: text).isEmpty {
      warn(ofProgram: text, at: value)
    }
    return text
  }

  /// It may be installed later, so its absence is no error.
  func warn(ofProgram name: String, at value: ConfigurationValue) {
    guard let problem = programProblem(name) else { return }
    value.report("\(quoted(name)) \(problem), so the command cannot be run", severity: .warning)
  }
}
