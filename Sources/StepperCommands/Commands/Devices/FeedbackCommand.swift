internal import ArgumentParser
internal import StepperClient
internal import Varlink

struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Play effects on devices, and follow the moments of controls.",
    subcommands: [Test.self, Play.self, Watch.self])
}

extension FeedbackCommand {
  struct Play: ClientCommand {
    static let configuration = CommandConfiguration(
      commandName: "play", abstract: "Play one effect: stepperctl feedback play knob success",
      discussion: "Prints the effect and the output that plays it.")

    @Argument(help: "The device.", completion: Completions.devicesWithOutputs, transform: LimitedText.name)
    var device: String
    @Argument(help: "The effect.")
    var effect: DeviceInterface.Effect
    @Option(
      help: ArgumentHelp("Play it on this output instead of the best one.", valueName: "name"),
      completion: Completions.outputs, transform: LimitedText.name)
    var output: String?
    @OptionGroup var global: GlobalOptions

    func run(_ client: StepperClient) throws {
      var columns = RunningColumns()
      try FeedbackCommand.play(effect, on: device, output: output, client, global, &columns)
    }
  }

  /// Plays an effect and prints its name with the output that plays it.
  static func play(
    _ effect: DeviceInterface.Effect, on device: String, output: String?, _ client: StepperClient,
    _ global: GlobalOptions, _ columns: inout RunningColumns
  ) throws {
    let played = try client.playEffect(effect, on: device, output: output)
    let object: JSONObject = ["device": device, "effect": effect, "played": played]
    try global.write(object, or: columns.line([effect.rawValue, played ?? "nothing played it"]))
  }
}
