internal import ArgumentParser
internal import StepperClient

struct ListCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the controls with value and range.",
    discussion: "With --localized the titles are in the language of LANGUAGE, LC_MESSAGES or LANG.")

  @Argument(
    help: "Only controls whose names match: * is any text, ? any character.",
    completion: Completions.controls, transform: LimitedText.name
  )
  var pattern: String?
  @OptionGroup var locale: LocaleOptions
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    let controls = try pattern.map { try NamedControls.list($0, client) } ?? client.list()
    guard !global.json else { return try controls.forEach { try Output.json($0) } }
    guard !controls.isEmpty else { return Output.error("there are no controls") }
    var table = Table(header: ["CONTROL", "VALUE", "RANGE", "STEP", "TITLE", ""])
    let values = locale.values
    for control in controls { table.add(row(control, values), highlightingLast: true) }
    table.write()
  }

  private func row(_ control: ControlInterface.Control, _ values: ValueText) -> [String] {
    let description = control.description
    let notes = ControlText.notes(control.state, description) + (description.writable ? [] : ["read-only"])
    return [
      description.control, values.value(control.state, description),
      ControlText.range(description, values: values),
      description.step.map { values.number($0, of: description) } ?? "", values.title(description) ?? "",
      notes.joined(separator: ", "),
    ]
  }
}
