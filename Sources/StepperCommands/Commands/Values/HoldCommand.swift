internal import ArgumentParser
internal import StepperClient
internal import StepperCore
internal import StepperLinux

struct HoldCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "hold",
    abstract: "Hold a button of a control: stepperctl hold volume increment --for 2s",
    discussion: """
      The button is bound to this control alone; the configuration of the control determines when it steps and \
      repeats. It is released after the given time, or with Ctrl-C.
      """)

  @Argument(help: "The control.", completion: Completions.controls)
  var name: String
  @Argument(help: "The action of the button.")
  var action = ControlInterface.Action.increment
  @Option(
    name: .customLong("for"), help: ArgumentHelp("Release it after this time: 500ms, 2s.", valueName: "time"))
  var time: DurationText?
  @OptionGroup var global: GlobalOptions

  /// The daemon also releases the button when the connection closes.
  func run(_ client: StepperClient) throws {
    let hold = "stepperctl"
    Interruption.watch()
    try client.press(name, action, hold: hold)
    let end = time.map { Instant.now + $0.duration }
    _ = try Interruption.poll(until: end) { timeout -> Never? in
      try client.stayConnected(for: timeout)
      return nil
    }
    let state = try client.release(name, hold: hold)
    guard !global.json else { return try Output.json(state) }
    ControlText.write([(state, nil)], client: client)
  }
}
