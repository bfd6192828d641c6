internal import ArgumentParser
internal import StepperClient

struct HoldCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "hold",
    abstract: "Hold a button of a control: stepperctl hold volume increment --for 2s",
    discussion: """
      The button is bound to this control alone; the configuration of the control determines when it steps and \
      repeats. It is released after the given time, or with Ctrl-C.
      """)

  @Argument(help: "The control.", completion: Completions.controls, transform: LimitedText.name)
  var name: String
  @Argument(help: "The action of the button.")
  var action = ControlInterface.Action.increment
  @Option(
    name: .customLong("for"), help: ArgumentHelp("Release it after this time: 500ms, 2s.", valueName: "time"))
  var time: DurationText?
  @OptionGroup var global: GlobalOptions

  private static let hold = "stepperctl"

  /// The daemon also releases the button when the connection closes or the lease expires.
  func run(_ client: StepperClient) throws {
    Interruption.watch()
    do throws(StepperClientError) {
      try client.press(name, action, hold: Self.hold, lease: RenewedHold.lease)
    } catch {
      guard error.code == .invalidParameter else { throw error }
      if try client.list(name).first?.description.kind == .button {
        throw CommandFailure("\(name) is a button, which has no other action than push: hold \(name) push")
      }
      let ends: [ControlInterface.Action: String] = [.toMinimum: "minimum", .toMaximum: "maximum"]
      guard let end = ends[action] else { throw error }
      throw CommandFailure("\(name) has no \(end), so it cannot be moved there")
    }
    try RenewedHold.keep(name, for: time?.duration, client) { _ in
      do throws(StepperClientError) {
        try client.renew(name, hold: Self.hold, lease: RenewedHold.lease)
        return true
      } catch {
        // The control has ended the hold, for example after a reload, or the lease has expired.
        guard error.code == .noSuchHold else { throw error }
        return false
      }
    }
    let state = try client.release(name, hold: Self.hold)
    guard !global.json else { return try Output.json(state) }
    ControlText.write([(state, nil)], client: client)
  }
}
