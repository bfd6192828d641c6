internal import ArgumentParser
internal import StepperClient

struct GetCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Show the value of controls.",
    discussion:
      "The value of one control is printed without the unit, for scripts; with --localized, or of several, with it."
  )

  @Argument(help: "The controls.", completion: Completions.controls, transform: LimitedText.name)
  var names: [String]
  @OptionGroup var locale: LocaleOptions
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    let values = locale.values
    try writeStates(client, values) { write in
      try forEach(names, client) { name in
        let state = try client.get(name)
        guard names.count == 1, !global.json else { return try write(state, nil) }
        let description = try locale.localized ? client.list(name).first?.description : nil
        Output.line(values.value(state, description))
      }
    }
  }
}
