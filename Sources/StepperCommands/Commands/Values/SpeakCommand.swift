internal import ArgumentParser
internal import StepperClient

struct SpeakCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "speak", abstract: "Show what a screen reader says about controls.",
    discussion: "One sentence a line, in the words of the platform that the control's profile comes from.")

  @Argument(
    help: "The controls; defaults to all.", completion: Completions.controls, transform: LimitedText.name)
  var names: [String] = []
  @Option(
    help: ArgumentHelp(
      "Language of the titles, for example pt-BR; by default that of LANGUAGE, LC_MESSAGES or LANG.",
      valueName: "tag"), transform: LimitedText.language)
  var language: String?
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    let names = try names.isEmpty ? client.list().map(\.description.control) : names
    let language = language ?? PreferredLanguages.current.first
    try forEach(names, client) { name in
      let reply = try client.describe(name, language: language)
      try global.write(reply, or: reply.accessibility.speech)
    }
  }
}
