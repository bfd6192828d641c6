internal import ArgumentParser
internal import StepperClient
internal import StepperCore

struct AdjustCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "adjust", abstract: "Change the range or the steps of a control until the next reload.",
    discussion:
      "The numbers are in the unit of the control's value. Options that are not given are unchanged.")

  @Argument(help: "The control.", completion: Completions.controls, transform: LimitedText.name)
  var name: String
  @Option(parsing: .unconditional, help: ArgumentHelp("The lower end of the range.", valueName: "value"))
  var minimum: SignedText?
  @Option(parsing: .unconditional, help: ArgumentHelp("The upper end of the range.", valueName: "value"))
  var maximum: SignedText?
  @Option(parsing: .unconditional, help: ArgumentHelp("The size of a step.", valueName: "value"))
  var step: SignedText?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("The size of a page (a large step).", valueName: "value"))
  var page: SignedText?
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let given = [minimum, maximum, step, page].compactMap { $0 }
    guard !given.isEmpty else {
      throw ValidationError("nothing to adjust: expected --minimum, --maximum, --step or --page")
    }
    for text in given {
      guard let number = text.number else { throw ValidationError("'\(text.text)' is not a number") }
      guard FixedPoint(nearest: number) != nil else { throw ValidationError("'\(text.text)' is too large") }
    }
  }

  func run(_ client: StepperClient) throws {
    let reply = try client.adjust(
      name, minimum: minimum?.number, maximum: maximum?.number, step: step?.number, page: page?.number)
    guard !global.json else { return try Output.json(reply) }
    let (description, values) = (reply.description, ValueText.plain)
    var table = Table()
    table.add([
      description.control, values.value(reply.state, description), ControlText.range(description),
      description.step.map { "step \(values.number($0, of: description))" } ?? "",
      description.page.map { "page \(values.number($0, of: description))" } ?? "",
      ControlText.notes(reply.state, description).joined(separator: ", "),
    ])
    table.write()
  }
}
