internal import ArgumentParser
internal import StepperClient

struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Play what can be felt of devices, and follow what is felt of controls.",
    subcommands: [Test.self, Play.self, Watch.self])
}

extension FeedbackCommand {
  struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "play", abstract: "Play one effect: stepperctl feedback play knob success",
      discussion: "Prints the effect and the output that plays it.")

    @Argument(help: "The device.", completion: Completions.devicesWithOutputs)
    var device: String
    @Argument(help: "The effect.")
    var effect: EffectArgument
    @Option(
      help: ArgumentHelp("Play it on this output instead of the best one.", valueName: "name"),
      completion: Completions.outputs)
    var output: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
      try global.run { client in
        let played = try client.playEffect(effect.effect, on: device, output: output)
        var columns = RunningColumns()
        try PlayedEffect(device: device, effect: effect.effect, played: played)
          .write(json: global.json, &columns)
      }
    }
  }
}
