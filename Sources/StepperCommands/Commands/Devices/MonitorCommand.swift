internal import ArgumentParser
internal import StepperClient

struct MonitorCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Show the events of devices and the changes of controls that they cause.",
    discussion: """
      Prints a line for each frame: device, time since its line before, events, and the control that changed, or the \
      reason if none did. Without names devices that no table uses are watched too: the daemon opens them until the \
      command ends, without a grab, and they change no control. Needs administrative permission. Ends with Ctrl-C. \
      Reconnects after a restart of the daemon; events in between are lost.
      """)

  @Argument(
    help: "Devices as 'stepperctl devices' prints them, or patterns (* and ?); defaults to all.",
    completion: Completions.devices, transform: LimitedText.name)
  var names: [String] = []
  @Flag(
    help: """
      Watch keyboards, mice, touchpads and touchscreens too. Every key that is pressed on a keyboard is shown, \
      including those of passwords.
      """)
  var keyboards = false
  @Flag(
    help: "Print every event on a line, with the kernel's time since the machine started.")
  var raw = false
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if raw, global.json { throw ValidationError("--raw and --json exclude each other") }
  }

  func run(_ client: StepperClient) throws {
    Output.endWithReader()
    try NamedDevices.check(names, client)
    let monitor = client.monitor(
      .init(match: names.isEmpty ? nil : names, unused: names.isEmpty ? true : nil, keyboards: keyboards))
    monitor.connectionChanged = reportConnection("; events in between are lost")
    var view = MonitorView(isRaw: raw, isJSON: global.json, includesKeyboards: keyboards)
    while let reply = try monitor.next() {
      if view.isNew { noteAbsent(reply, client) }
      try view.show(reply)
    }
  }

  /// Reports the named devices that are not plugged in.
  private func noteAbsent(_ reply: DeviceInterface.Monitor.Reply, _ client: StepperClient) {
    let present = Set(reply.devices.map(\.device))
    for name in names where !name.isPattern && !present.contains(name) {
      Output.error("\(name) is not plugged in; waiting for it")
    }
  }
}
