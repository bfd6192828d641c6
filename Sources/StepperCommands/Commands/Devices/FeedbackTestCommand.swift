internal import ArgumentParser
internal import StepperClient
internal import Varlink

extension FeedbackCommand {
  struct Test: ClientCommand {
    static let configuration = CommandConfiguration(
      commandName: "test", abstract: "Play every effect, one after another, and show every light.",
      discussion: """
        Prints each effect and the output that plays it. Then each light is at full brightness for half a \
        second, or for the time of --pause if that is shorter. With --output only that output or light is tried.
        """)

    @Argument(help: "The device.", completion: Completions.devicesWithOutputs, transform: LimitedText.name)
    var device: String
    @Option(
      help: ArgumentHelp("Try only this output or light.", valueName: "name"),
      completion: Completions.outputs, transform: LimitedText.name
    )
    var output: String?
    @Option(help: ArgumentHelp("How long to wait between two effects: 500ms, 2s.", valueName: "time"))
    var pause = DurationText(.milliseconds(700))
    @OptionGroup var global: GlobalOptions

    func run(_ client: StepperClient) throws {
      let found = try found(client)
      let isLight = output.map { found.lights.contains($0) && !found.outputs.contains($0) } ?? false
      // The daemon refuses an output that does not exist.
      let hasEffects = output.map { _ in !isLight } ?? !found.outputs.isEmpty
      let effects = hasEffects ? DeviceInterface.Effect.allCases : []
      let lights = output.map { isLight ? [$0] : [] } ?? found.lights
      var columns = RunningColumns(widths: [effects.map(\.rawValue.count).max() ?? 0])

      for (index, effect) in effects.enumerated() {
        if index > 0 { try client.stayConnected(for: pause.duration) }
        try FeedbackCommand.play(effect, on: device, output: output, client, global, &columns)
      }
      if !effects.isEmpty, !lights.isEmpty { try client.stayConnected(for: pause.duration) }
      for light in lights {
        try client.setLight(light, of: device, to: 1)
        let object: JSONObject = ["brightness": 1.0, "device": device, "light": light]
        try global.write(object, or: columns.line(["full", light]))
        try client.stayConnected(for: min(pause.duration, .milliseconds(500)))
        // The daemon holds a light for as long as the connection lasts.
        client.close()
      }
    }

    /// The device. Throws if it has neither outputs nor lights.
    private func found(_ client: StepperClient) throws -> DeviceInterface.Device {
      let devices = try client.devices()
      guard let found = devices.first(where: { $0.device == device }) else {
        throw CommandFailure.noSuchDevice(device, among: devices.map(\.device))
      }
      guard !found.outputs.isEmpty || !found.lights.isEmpty else {
        let reason = found.problem ?? (found.state == .absent ? "it is not plugged in" : nil)
        throw CommandFailure("\(device) has no outputs and no lights" + (reason.map { ": \($0)" } ?? ""))
      }
      return found
    }
  }
}
