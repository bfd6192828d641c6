internal import ArgumentParser
internal import StepperClient

struct SetCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set controls to values.",
    usage: "stepperctl set [--clamp] [--localized] <name> <value> …",
    discussion: """
      A value is a number, the name or the number of a choice, or on, off or toggle. To move by steps, use step. With \
      --localized numbers are in the format that get --localized prints. If one of several values is refused, none is set.
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("Controls and their values, in turn.", valueName: "name value"),
    completion: Completions.assignments)
  var words: [SignedText]
  @Flag(help: "Set the nearest end instead of refusing a value outside the range.")
  var clamp = false
  @OptionGroup var locale: LocaleOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let pairs = try words.operands()
    guard pairs.count.isMultiple(of: 2) else {
      throw ValidationError(
        "'\(pairs.last?.text ?? "")' has no value: expected NAME VALUE [NAME VALUE …]; put -- before values that begin with a minus sign, as in: set -- balance '-5 l'"
      )
    }
    for (index, word) in pairs.enumerated() {
      let limit = index.isMultiple(of: 2) ? ParameterLimit.nameBytes : ParameterLimit.valueBytes
      if let problem = word.text.problem(atMost: limit) {
        throw ValidationError("'\(word.text)': \(problem)")
      }
    }
  }

  func run(_ client: StepperClient) throws {
    let pairs = try words.operands()
    let values = locale.values
    let all = stride(from: 0, to: pairs.count, by: 2).map { (pairs[$0].text, pairs[$0 + 1].text) }
    try writeStates(client, values) { write in
      if all.count == 1, values.locale == nil, let reply = try setAtOnce(all[0].0, to: all[0].1, client) {
        return try write(reply.state, reply.description)
      }
      try Assignments(client, values: values, clamps: clamp).perform(all, write)
    }
  }

  /// Sets a control with one call. Returns nil if the daemon does not accept `text` as a value: it may be a title, the
  /// number of a choice, or `toggle`.
  private func setAtOnce(
    _ name: String, to text: String, _ client: StepperClient
  ) throws(StepperClientError) -> ControlInterface.Set.Reply? {
    do throws(StepperClientError) {
      return try describing { describe throws(StepperClientError) in
        try client.call(
          ControlInterface.Set.self,
          .init(control: name, text: text, clamp: clamp ? true : nil, describe: describe))
      }
    } catch {
      guard error.code == .noSuchValue else { throw error }
      return nil
    }
  }
}
