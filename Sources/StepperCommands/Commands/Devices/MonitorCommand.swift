internal import ArgumentParser
internal import StepperClient

struct MonitorCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor", abstract: "Show what devices report, and the controls that change, live.",
    discussion: """
      A line each: device, time since its line before, what moved, and the control that changed, or why none did. \
      Without names also of devices that no table uses: stepperd opens them until the command ends, grabs \
      none, and what they report moves nothing. Needs administrative permission. Ends with Ctrl-C. When the \
      daemon restarts, it connects again; what happened meanwhile is lost.
      """)

  @Argument(
    help: "Names of devices or patterns (* and ?), as 'stepperctl devices' shows them; none means all.",
    completion: Completions.devices)
  var names: [String] = []
  @Flag(
    help: """
      Also keyboards, mice, touchpads and touchscreens. Every key that is pressed on a keyboard is shown, \
      those of passwords too.
      """)
  var keyboards = false
  @Flag(
    help: "Every event on a line of its own with the time since the machine started, as the kernel has it.")
  var raw = false
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if raw, global.json { throw ValidationError("--raw and --json exclude each other") }
  }

  func run(_ client: StepperClient) throws {
    Output.endWithReader()
    try checkNames(client)
    let monitor = client.monitor(
      .init(match: names.isEmpty ? nil : names, unused: names.isEmpty ? true : nil, keyboards: keyboards))
    monitor.connectionChanged = reportConnection("; what happened meanwhile is lost")
    var view = MonitorView(isRaw: raw, isJSON: global.json, includesKeyboards: keyboards)
    while let reply = try monitor.next() {
      if view.isNew { noteAbsent(reply, client) }
      try view.show(reply)
    }
  }

  /// A name that no device has is misspelt; a pattern may match one that is plugged in later.
  private func checkNames(_ client: StepperClient) throws {
    let exact = names.filter { !$0.isPattern }
    guard !exact.isEmpty else { return }
    let known = try client.devices().map(\.device)
    for name in exact where !known.contains(name) {
      throw CommandFailure(
        lines: CommandFailure.noSuchDevice(name, among: known).lines, code: .noSuchControl)
    }
  }

  /// Says which named devices are not plugged in.
  private func noteAbsent(_ reply: DeviceInterface.Monitor.Reply, _ client: StepperClient) {
    let present = Set(reply.devices.map(\.device))
    for name in names where !name.isPattern && !present.contains(name) {
      Output.error("\(name) is not plugged in; waiting for it")
    }
  }
}
