internal import ArgumentParser
internal import StepperClient

struct SetCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set controls to values.",
    usage: "stepperctl set [--clamp] [--localized] <name> <value> …",
    discussion: """
      A value is a number, the name of a choice, or on and off. To go up or down, use step. With --localized a \
      number is one as get --localized shows it.
      """)

  @Argument(
    help: ArgumentHelp("Controls and their values, in turn.", valueName: "name value"),
    completion: Completions.assignments)
  var pairs: [SignedText]
  @Flag(help: "Take the nearest allowed value instead of refusing one outside the range.")
  var clamp = false
  @OptionGroup var locale: LocaleOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard pairs.count.isMultiple(of: 2) else {
      throw ValidationError("'\(pairs.last?.text ?? "")' has no value: expected NAME VALUE [NAME VALUE …]")
    }
  }

  func run(_ client: StepperClient) throws {
    let values = locale.values
    // A localized 1.234 may mean 1234. Only the description of the control says how to read it.
    let descriptions = try locale.localized ? ControlText.descriptions(of: client.list()) : [:]
    try writeStates(client, values) { write in
      for index in stride(from: 0, to: pairs.count, by: 2) {
        let name = pairs[index].text
        let text = try values.parse(pairs[index + 1].text, descriptions[name])
        try write(client.set(name, to: text, clamp: clamp))
      }
    }
  }
}
