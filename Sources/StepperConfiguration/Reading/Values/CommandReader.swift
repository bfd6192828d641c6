/// Reads a command: a program and its arguments. The program is a path, or a name to look up in `PATH`. No shell is
/// involved.
struct CommandReader {
  /// Returns why a program cannot be started, as the rest of a sentence; nil if it can.
  let programProblem: (String) -> String?

  /// The form of a command, for messages.
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

  /// Reads a program: an absolute path, which does not depend on the daemon's working directory, or a name.
  private func program(_ value: ConfigurationValue) -> String? {
    guard let text = value.text(upTo: ConfigurationLimit.argumentBytes) else { return nil }
    if text.utf8.contains(UInt8(ascii: "/")), !text.begins(with: "/") {
      value.report("commands begin in /; write the whole path, found \(quoted(text))")
    } else if HookSettings.placeholders(in: text).isEmpty {
      warn(ofProgram: text, at: value)
    }
    return text
  }

  /// Warns if the program cannot be started. This is not an error, because it may be installed later.
  func warn(ofProgram name: String, at value: ConfigurationValue) {
    guard let problem = programProblem(name) else { return }
    value.report("\(quoted(name)) \(problem), so the command cannot be run", severity: .warning)
  }
}
