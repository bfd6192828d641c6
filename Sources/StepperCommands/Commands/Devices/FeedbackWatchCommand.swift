internal import ArgumentParser
internal import StepperClient

extension FeedbackCommand {
  struct Watch: ClientCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch", abstract: "Show the moments of controls as they happen.",
      discussion: """
        Prints control, moment, effect, value, and the device that caused it. Ends with Ctrl-C. Reconnects after a \
        restart of the daemon; moments in between are lost.
        """)

    @Argument(
      help: "Names or patterns (* and ?); defaults to all.", completion: Completions.controls,
      transform: LimitedText.name)
    var names: [String] = []
    @OptionGroup var global: GlobalOptions

    func run(_ client: StepperClient) throws {
      Output.endWithReader()
      try NamedControls.check(names, client)
      let moments = try client.momentSubscription(to: names)
      moments.connectionChanged = reportConnection("; moments in between are lost")
      // As wide as the longest words, so that the columns stay aligned.
      var columns = RunningColumns(widths: [0, "disconnect".count, "selection".count])
      var dropped: Int64 = 0
      while let moment = try moments.next() {
        if moments.droppedCount != dropped {
          Output.error(
            "\(moments.droppedCount &- dropped) moments were lost: they came faster than they were read")
          dropped = moments.droppedCount
        }
        try global.write(moment, or: columns.line(row(moment)))
      }
    }

    private func row(_ moment: ControlInterface.MomentEvent) -> [String] {
      [
        moment.control, moment.moment.rawValue, moment.effect.rawValue, moment.text ?? ControlText.unset,
        moment.device ?? "",
      ]
    }
  }
}
