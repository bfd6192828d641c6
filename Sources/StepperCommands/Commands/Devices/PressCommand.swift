internal import ArgumentParser
internal import StepperClient

struct PressCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "press",
    abstract: "Hold a button of a virtual device: stepperctl press panel:plus --hold 2s",
    discussion: "The button is released after the given time, or with Ctrl-C.")

  @Argument(
    help: ArgumentHelp("The button.", valueName: "device:input"), completion: Completions.inputs(.button))
  var button: InputName
  @Option(help: ArgumentHelp("Release it after this time: 500ms, 2s.", valueName: "time"))
  var hold: DurationText?
  @OptionGroup var global: GlobalOptions

  /// The daemon releases a button when the connection that holds it closes, so Ctrl-C needs no handling.
  func run(_ client: StepperClient) throws {
    try client.press(button)
    try client.stayConnected(for: hold?.duration)
    try client.release(button)
  }
}

struct ReleaseCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "release", abstract: "Release a button of a virtual device.",
    discussion: """
      A button is held by the connection that pressed it, so this does not release one that another program holds. \
      It fails if the button does not exist.
      """)

  @Argument(
    help: ArgumentHelp("The button.", valueName: "device:input"), completion: Completions.inputs(.button))
  var button: InputName
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws { try client.release(button) }
}

struct ClickCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "click", abstract: "Press and release buttons of virtual devices.")

  @Argument(
    help: ArgumentHelp("The buttons, one after another.", valueName: "device:input"),
    completion: Completions.inputs(.button))
  var buttons: [InputName]
  @Option(help: ArgumentHelp("How long each is pressed: 500ms, 2s.", valueName: "time"))
  var hold = DurationText(.milliseconds(40))
  @OptionGroup var global: GlobalOptions

  /// The daemon replies at the press; the wait makes the next click, here or in a script, follow the release.
  func run(_ client: StepperClient) throws {
    for button in buttons {
      try client.click(button, milliseconds: hold.milliseconds)
      try client.stayConnected(for: hold.duration + .milliseconds(20))
    }
  }
}
