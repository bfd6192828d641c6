internal import ArgumentParser
internal import StepperClient

struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Show the value of controls.",
    discussion: "One control: its bare value, for scripts. Several, or --localized: with the unit.")

  @Argument(help: "The controls.", completion: Completions.controls)
  var names: [String]
  @OptionGroup var locale: LocaleOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    try global.run { client in
      let values = locale.values
      var states: [ControlInterface.State] = []
      defer {
        if names.count > 1, !global.json, !states.isEmpty {
          ControlText.write(states, client: client, values: values)
        }
      }
      try global.forEach(names, client: client) { name in
        let state = try client.get(name)
        states.append(state)
        if global.json {
          try Output.json(state)
        } else if names.count == 1 {
          let description = try locale.localized ? client.list(name).first?.description : nil
          Output.line(values.value(state, description))
        }
      }
    }
  }
}
