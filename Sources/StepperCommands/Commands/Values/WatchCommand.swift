internal import ArgumentParser
internal import StepperClient
import StepperText

struct WatchCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show controls now and whenever they change.",
    discussion: """
      Ends with Ctrl-C. After a restart of the daemon it reconnects and continues with the changes in between. With \
      --json it prints a line for every change, including those of counters. With --bars a terminal shows each \
      control on a fixed line, and keys change the marked one; ? lists them.
      """)

  @Argument(
    help: "Names or patterns (* and ?); defaults to all.", completion: Completions.controls,
    transform: LimitedText.name)
  var names: [String] = []
  @Flag(help: "Show the present values and end.")
  var once = false
  @Flag(help: "Show bars on fixed lines, and read keys. Without a terminal lines are printed as usual.")
  var bars = false
  @Option(help: ArgumentHelp("At most one line per control in this time: 100ms.", valueName: "time"))
  var interval: DurationText?
  @OptionGroup var locale: LocaleOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if bars, once || global.json {
      throw ValidationError("--bars excludes \(once ? "--once" : "--json")")
    }
  }

  func run(_ client: StepperClient) throws {
    guard !once else { return try showOnce(client) }
    try NamedControls.check(names, client)
    if bars, TerminalStyle.placesCursor(StepperAddress.environmentValue("TERM")), let terminal = Terminal() {
      return try BarsProgram(client, on: terminal, values: locale.values)
        .run(client, names, interval: interval?.duration)
    }
    Output.endWithReader()
    let subscription = try client.subscription(to: names, minimumInterval: interval?.duration)
    subscription.connectionChanged = reportConnection()
    let values = locale.values
    var shown: [String: [String]] = [:]
    while let state = try subscription.next() {
      if global.json {
        try Output.json(state)
        continue
      }
      let row = row(state, subscription.descriptions, values)
      guard shown.updateValue(row, forKey: state.control) != row else { continue }
      show(row, width: subscription.descriptions.keys.map { $0.onOneLine().displayWidth }.max() ?? 0)
    }
  }

  private func showOnce(_ client: StepperClient) throws {
    let controls = try names.isEmpty ? client.list() : names.flatMap { try NamedControls.list($0, client) }
    try writeStates(client, locale.values) { write in
      for control in controls { try write(control.state, control.description) }
    }
  }

  private func row(
    _ state: ControlInterface.State, _ descriptions: [String: ControlInterface.Description],
    _ values: ValueText
  ) -> [String] {
    let description = descriptions[state.control]
    return [state.control, values.value(state, description)] + ControlText.notes(state, description)
  }

  private func show(_ row: [String], width: Int) {
    let name = row[0].onOneLine().padded(to: width)
    let notes = row.dropFirst(2).joined(separator: ", ")
    Output.line("\(name)  \(row[1])\(notes.isEmpty ? "" : "  ")", highlighting: notes)
  }
}
