internal import ArgumentParser
internal import StepperClient

struct PressCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "press",
    abstract: "Hold a button of a virtual device: stepperctl press panel:plus --hold 2s",
    discussion: "The button is released after the given time, or with Ctrl-C.")

  @Argument(
    help: ArgumentHelp("The button.", valueName: "device:input"), completion: Completions.inputs(.button),
    transform: LimitedText.input)
  var button: InputName
  @Option(help: ArgumentHelp("Release it after this time: 500ms, 2s.", valueName: "time"))
  var hold: DurationText?
  @OptionGroup var global: GlobalOptions

  /// The daemon releases the button when the connection closes, so Ctrl-C needs no handling. It also releases the
  /// button when the lease expires.
  func run(_ client: StepperClient) throws {
    try client.press(button, lease: RenewedHold.lease)
    try RenewedHold.keep("\(button)", for: hold?.duration, client) { isLate in
      // After the lease has expired, this would be another press.
      if !isLate { try client.press(button, lease: RenewedHold.lease) }
      return !isLate
    }
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
    help: ArgumentHelp("The button.", valueName: "device:input"), completion: Completions.inputs(.button),
    transform: LimitedText.input)
  var button: InputName
  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws { try client.release(button) }
}

struct ClickCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "click", abstract: "Press and release buttons of virtual devices.")

  @Argument(
    help: ArgumentHelp("The buttons, one after another.", valueName: "device:input"),
    completion: Completions.inputs(.button), transform: LimitedText.input)
  var buttons: [InputName]
  @Option(help: ArgumentHelp("How long each is pressed, at most 60s: 500ms, 2s.", valueName: "time"))
  var hold = DurationText(.milliseconds(40))
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard hold.duration <= .seconds(60) else { throw ValidationError("--hold must be at most 60s") }
  }

  /// The daemon replies at the press; the wait makes the next click, here or in a script, follow the release.
  func run(_ client: StepperClient) throws {
    for button in buttons {
      try client.click(button, milliseconds: hold.milliseconds)
      try client.stayConnected(for: hold.duration + .milliseconds(20))
    }
  }
}
