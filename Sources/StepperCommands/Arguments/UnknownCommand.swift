internal import ArgumentParser

/// A word of an invalid command line in the place of a command, which is not a command.
enum UnknownCommand {
  /// The error for such a word; nil if the command line is invalid for another reason.
  static func failure(_ words: [String]) -> CommandFailure? {
    var operands = CommandWords.operands(of: words)[...]
    while operands.first == "help" { operands.removeFirst() }
    var path: [String] = []
    var subcommands = Stepperctl.configuration.subcommands
    while !subcommands.isEmpty, let word = operands.popFirst() {
      let names = subcommands.compactMap { $0.configuration.commandName }
      guard let index = subcommands.firstIndex(where: { $0.configuration.commandName == word }) else {
        return CommandFailure(message(word, of: path, among: names), code: .usage)
      }
      path.append(word)
      subcommands = subcommands[index].configuration.subcommands
    }
    return nil
  }

  private static func message(_ word: String, of path: [String], among names: [String]) -> String {
    guard !path.isEmpty else {
      let otherwise = "; 'stepperctl --help' lists the commands"
      return "there is no command '\(word)'\(Suggestion.hint(for: word, among: names, otherwise: otherwise))"
    }
    let has = "; it has \(names.joined(separator: ", "))"
    return "'\(path.joined(separator: " "))' has no command '\(word)'"
      + Suggestion.hint(for: word, among: names, otherwise: has)
  }
}

/// The words of a command line, before it is parsed.
enum CommandWords {
  /// The words without options, and without the values of options that every command has.
  static func operands(of words: some Sequence<String>) -> [String] {
    var operands: [String] = []
    var (isValue, isEnded) = (false, false)
    for word in words {
      if isValue {
        // bash divides words at the equals sign.
        isValue = word == "="
      } else if isEnded || SignedText(argument: word)?.isOption == false {
        operands.append(word)
      } else {
        isEnded = word == "--"
        isValue = ["--address", "--timeout", "--generate-completion-script"].contains(word)
      }
    }
    return operands
  }
}
