internal import ArgumentParser
internal import StepperClient

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the controls with value and range.")

  @Argument(
    help: "Only controls whose names match: * is any text, ? any character.", completion: Completions.controls
  )
  var pattern: String?
  @OptionGroup var global: GlobalOptions

  func run() throws {
    try global.run { client in
      let controls = try client.list(pattern)
      guard !global.json else { return try controls.forEach { try Output.json($0) } }
      guard !controls.isEmpty else { return Output.error(nothing) }
      var table = Table(header: ["CONTROL", "VALUE", "RANGE", "STEP", "TITLE", ""])
      for control in controls { table.add(row(control)) }
      table.write()
    }
  }

  private var nothing: String { pattern.map { "no control matches '\($0)'" } ?? "there are no controls" }

  private func row(_ control: ControlInterface.Control) -> [String] {
    let description = control.description
    let notes = ControlText.notes(control.state) + (description.writable ? [] : ["read-only"])
    return [
      description.control, ControlText.value(control.state, unit: description.unit),
      ControlText.range(description), description.step.map(ControlText.number) ?? "", description.title ?? "",
      notes.isEmpty ? "" : Output.highlighted(notes.joined(separator: ", ")),
    ]
  }
}
